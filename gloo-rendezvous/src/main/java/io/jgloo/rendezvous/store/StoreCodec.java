package io.jgloo.rendezvous.store;

/**
 * The protocol that a {@link TcpStoreServer} speaks; chosen when it is started, because the first
 * bytes of the two do not differ.
 */
public enum StoreCodec {
  /** PyTorch's, which {@link TcpStore} speaks: all operations. */
  PYTORCH,

  /**
   * A frame that is written by hand in any language: SET, GET and WAIT.
   *
   * <pre>
   *   request = u32 length of the rest | u8 opcode | u32 key length | u32 value length | key | value
   *   opcode  = 1 SET, answered by OK
   *             2 GET, answered by the value, when there is one
   *             3 WAIT, answered by READY, when all keys exist; its key may be several, with line
   *               feeds between
   *   answer  = u32 length | OK, READY, or the value                                 all big-endian
   * </pre>
   *
   * <p>A GET or WAIT must have been answered before the next request is sent. An error is the end
   * of the connection.
   */
  SIMPLE
}
