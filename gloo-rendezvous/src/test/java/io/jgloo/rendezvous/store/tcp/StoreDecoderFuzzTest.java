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

/** Requests to a store server, for any bytes and however they are cut into reads. */
final class StoreDecoderFuzzTest extends FuzzContract {

  private static final long MAX_REQUEST_BYTES = 1 << 16;

  @Override
  protected List<FuzzTarget> targets() {
    return List.of(
        FuzzTarget.of(
            "store-requests",
            StoreProtocolException.class,
            requests(),
            StoreDecoderFuzzTest::decode));
  }

  /** The first byte says how the others are cut; the requests do not depend on it. */
  private static void decode(byte[] input) throws StoreProtocolException {
    if (input.length == 0) {
      return;
    }
    List<String> atOnce = new ArrayList<>();
    List<String> inParts = new ArrayList<>();
    String refusal = read(input, input.length, atOnce);
    String other = read(input, 1 + (input[0] & 15), inParts);
    assertEquals(atOnce, inParts);
    assertEquals(refusal, other);
    if (refusal != null) {
      throw new StoreProtocolException(refusal);
    }
  }

  private static String read(byte[] input, int part, List<String> requests) {
    StoreRequestDecoder decoder = new StoreRequestDecoder(MAX_REQUEST_BYTES);
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
    return ByteBufUtil.getBytes(out);
  }

  private static void field(ByteBuf out, String text) {
    out.writeLongLE(text.length());
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }
}
