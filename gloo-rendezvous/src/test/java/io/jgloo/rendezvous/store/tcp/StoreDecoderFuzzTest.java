package io.jgloo.rendezvous.store.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.FuzzContract;
import io.jgloo.transport.FuzzTarget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Requests to a store server, for any bytes and however they are cut into reads. */
final class StoreDecoderFuzzTest extends FuzzContract {

  private static final long MAX_REQUEST_BYTES = 1 << 16;

  @Override
  protected List<FuzzTarget> targets() {
    return List.of(
        target("store-requests", requests(), () -> new StoreRequestDecoder(MAX_REQUEST_BYTES)),
        target("simple-requests", simple(), () -> new SimpleStoreDecoder(MAX_REQUEST_BYTES)));
  }

  private static FuzzTarget target(
      String name, byte[] sample, Supplier<? extends StoreDecoder> decoder) {
    return FuzzTarget.of(
        name, StoreProtocolException.class, sample, input -> decode(input, decoder));
  }

  /** The first byte says how the others are cut; the requests do not depend on it. */
  private static void decode(byte[] input, Supplier<? extends StoreDecoder> decoder)
      throws StoreProtocolException {
    if (input.length == 0) {
      return;
    }
    List<String> atOnce = new ArrayList<>();
    List<String> inParts = new ArrayList<>();
    String refusal = read(input, input.length, decoder.get(), atOnce);
    String other = read(input, 1 + (input[0] & 15), decoder.get(), inParts);
    assertEquals(atOnce, inParts);
    assertEquals(refusal, other);
    if (refusal != null) {
      throw new StoreProtocolException(refusal);
    }
  }

  private static String read(byte[] input, int part, StoreDecoder decoder, List<String> requests) {
    try {
      for (int at = 1; at < input.length; at += part) {
        ByteBuf in = Unpooled.wrappedBuffer(input, at, Math.min(part, input.length - at));
        for (StoreRequest next = decoder.next(in); next != null; next = decoder.next(in)) {
          requests.add(next.opcode() + " " + next.keys() + " " + next.number());
        }
        assertEquals(0, in.readableBytes(), "bytes left without a request");
        long held = decoder.heldBytes();
        assertTrue(held <= 2 * MAX_REQUEST_BYTES, () -> held + " bytes held");
      }
      return null;
    } catch (StoreProtocolException e) {
      return e.getMessage();
    }
  }

  private static byte[] requests() {
    ByteBuf out = Unpooled.buffer();
    out.writeByte(3);
    out.writeByte(StoreOpcode.VALIDATE.code()).writeIntLE(StoreOpcode.MAGIC);
    out.writeByte(StoreOpcode.SET.code());
    field(out, "/key");
    field(out, "value");
    out.writeByte(StoreOpcode.ADD.code());
    field(out, "/number");
    out.writeLongLE(5);
    out.writeByte(StoreOpcode.WAIT.code()).writeLongLE(2);
    field(out, "/key");
    field(out, "/other");
    return bytes(out);
  }

  private static void field(ByteBuf out, String text) {
    out.writeLongLE(text.length());
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** SET k=v, and WAIT for two keys. */
  private static byte[] simple() {
    ByteBuf out = Unpooled.buffer().writeByte(5);
    out.writeInt(11).writeByte(1).writeInt(1).writeInt(1).writeByte('k').writeByte('v');
    out.writeInt(12).writeByte(3).writeInt(3).writeInt(0);
    return bytes(out.writeByte('a').writeByte('\n').writeByte('b'));
  }

  private static byte[] bytes(ByteBuf out) {
    return ByteBufUtil.getBytes(out);
  }
}
