package io.jgloo.rpc.codec;

import io.jgloo.transport.FuzzContract;
import io.jgloo.transport.FuzzTarget;
import io.jgloo.transport.ProtocolException;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Optional;

/** Values of every kind of codec, for any bytes. */
final class CodecFuzzTest extends FuzzContract {

  /** A value with parts of several kinds. */
  record Parts(boolean flag, String text, List<String> list, Optional<Long> optional) {}

  private static final Codec<Parts> PARTS =
      Codecs.record(
          MethodHandles.lookup(),
          Parts.class,
          Codecs.BOOLEAN,
          Codecs.STRING,
          Codecs.list(Codecs.STRING),
          Codecs.optional(Codecs.LONG));

  @Override
  protected List<FuzzTarget> targets() {
    return List.of(FuzzTarget.of("codecs", ProtocolException.class, sample(), CodecFuzzTest::read));
  }

  private static byte[] sample() {
    try (MessageWriter out = new MessageWriter(64)) {
      PARTS.write(new Parts(true, "text", List.of("a", "b"), Optional.of(5L)), out);
      Codecs.BYTES.write(new byte[3], out);
      Codecs.INTS.write(new int[] {1}, out);
      Codecs.DOUBLES.write(new double[2], out);
      Message message = out.message();
      byte[] bytes = new byte[message.length()];
      System.arraycopy(message.bytes(), message.offset(), bytes, 0, bytes.length);
      return bytes;
    }
  }

  private static void read(byte[] input) {
    MessageReader in = new MessageReader(Message.of(input));
    PARTS.read(in);
    Codecs.BYTES.read(in);
    Codecs.INTS.read(in);
    Codecs.DOUBLES.read(in);
    in.end();
  }
}
