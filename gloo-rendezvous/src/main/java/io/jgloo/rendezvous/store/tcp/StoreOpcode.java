package io.jgloo.rendezvous.store.tcp;

/**
 * The requests of the store protocol, which is PyTorch's (2.1 to 2.10 and later): one opcode byte,
 * then the fields.
 *
 * <pre>
 *   key, value = u64 length, bytes        number = i64        word = u32        all little-endian
 *   a list     = u64 count, then the item's fields that many times
 * </pre>
 *
 * <p>There is no frame length, request number or status: answers come in the order of the requests,
 * and an error is the end of the connection. An exception to the order is WAIT (and BARRIER), which
 * is answered when its keys exist, while later requests are answered at once. Clients put a slash
 * before each key.
 */
enum StoreOpcode {
  /** First on a connection, once: the {@link #MAGIC} word. No answer. */
  VALIDATE(0, "m"),
  /** No answer. */
  SET(1, "kv"),
  /** Key, expected, desired; answer: value. */
  COMPARE_SET(2, "kvv"),
  /** Answer: value, an empty one for a missing key. */
  GET(3, "k"),
  /** Key, delta; answer: number. */
  ADD(4, "kn"),
  /** Answer: a byte, {@link #READY} or {@link #NOT_READY}. */
  CHECK(5, "*k"),
  /** Answer, when all keys exist: the byte {@link #READY}. */
  WAIT(6, "*k"),
  /** Answer: number. */
  GET_NUM_KEYS(7, ""),
  /** Answer: number of keys removed. */
  DELETE_KEY(8, "k"),
  /** No answer. */
  APPEND(9, "kv"),
  /** Answer: the values, without a count. */
  MULTI_GET(10, "*k"),
  /** No answer. */
  MULTI_SET(11, "*kv"),
  /** Answer: the byte {@link #CANCELED}, even if there was nothing to cancel. */
  CANCEL_WAIT(12, ""),
  /** Answer: the same word. Since 2.6. */
  PING(13, "m"),
  /** No answer. Since 2.8, like the other two of the queue. */
  QUEUE_PUSH(14, "kv"),
  /** Answer: number of elements before; if that is not 0, the value. */
  QUEUE_POP(15, "k"),
  /** Answer: number. */
  QUEUE_LEN(16, "k"),
  /** Answer: number, then that many keys. Since 2.10. */
  LIST_KEYS(17, ""),
  /**
   * Key, number of callers; answer, when so many callers have arrived: the byte {@link #READY}. The
   * count is kept as a counter at the key and never reset. Since after 2.10.
   */
  BARRIER(18, "kn");

  static final int MAGIC = 0x3C85F7CE;
  static final byte READY = 0;
  static final byte NOT_READY = 1;
  static final byte CANCELED = 1;

  /** The longest key on the wire, its leading slash included. */
  static final int MAX_KEY_BYTES = 8192;

  private static final StoreOpcode[] BY_CODE = new StoreOpcode[values().length];

  static {
    for (StoreOpcode opcode : values()) {
      BY_CODE[opcode.code] = opcode;
    }
  }

  private final byte code;
  private final boolean list;
  private final String fields;

  StoreOpcode(int code, String fields) {
    this.code = (byte) code;
    list = fields.startsWith("*");
    this.fields = list ? fields.substring(1) : fields;
  }

  /** Whether a count precedes the fields, which then come that many times. */
  boolean isList() {
    return list;
  }

  /** The fields: {@code k} a key, {@code v} a value, {@code n} a number, {@code m} a word. */
  String fields() {
    return fields;
  }

  byte code() {
    return code;
  }

  /** The opcode of that byte, {@code null} if there is none. */
  static StoreOpcode of(byte code) {
    return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
  }
}
