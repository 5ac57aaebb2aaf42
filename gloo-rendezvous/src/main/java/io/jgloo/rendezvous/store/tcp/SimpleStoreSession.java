package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.store.StoreCodec;
import io.jgloo.rendezvous.store.table.StoreTable;
import java.nio.charset.StandardCharsets;

/** A connection whose client speaks {@link StoreCodec#SIMPLE}. */
final class SimpleStoreSession extends StoreSession {
  private static final byte[] OK = "OK".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] READY = "READY".getBytes(StandardCharsets.US_ASCII);

  private final StoreTable table;

  SimpleStoreSession(StoreServer server, StoreTable table, long maxRequestBytes) {
    super(server, table, new SimpleStoreDecoder(maxRequestBytes));
    this.table = table;
  }

  @Override
  void execute(StoreRequest request) throws StoreProtocolException {
    if (isWaiting()) {
      throw new StoreProtocolException(request.opcode() + " before the reply to the last request");
    }
    if (request.opcode() == StoreOpcode.SET) {
      table.set(request.key(), request.value());
      answerFrame(OK);
    } else {
      await(request);
    }
  }

  @Override
  void answerReady(StoreRequest waited) {
    boolean get = waited.opcode() == StoreOpcode.GET;
    answerFrame(get ? table.get(waited.key()) : READY);
  }
}
