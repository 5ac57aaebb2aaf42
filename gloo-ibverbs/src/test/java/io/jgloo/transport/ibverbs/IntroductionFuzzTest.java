package io.jgloo.transport.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.FuzzContract;
import io.jgloo.transport.FuzzTarget;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.ibverbs.OneSided.RemoteKey;
import io.jgloo.transport.ibverbs.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Introductions of queue pairs and keys of remote memory, decoded from any bytes. */
final class IntroductionFuzzTest extends FuzzContract {

  @Override
  protected List<FuzzTarget> targets() {
    return List.of(
        FuzzTarget.of(
            "introduction",
            ProtocolException.class,
            new Introduction(1, 2, Gid.ABSENT, 0, 3, 1, 64, 4096, 16, 65536).encode(),
            input -> Introduction.decode(Arrays.copyOf(input, Introduction.BYTES))),
        FuzzTarget.of(
            "remote-key",
            ProtocolException.class,
            new RemoteKey(1, 4096, 100, 5).encode(),
            IntroductionFuzzTest::remoteKey));
  }

  private static void remoteKey(byte[] input) {
    RemoteKey key = RemoteKey.decode(input);
    assertTrue(key.rank() >= 0 && key.length() >= 0, key::toString);
    assertEquals(ByteBuffer.wrap(input), ByteBuffer.wrap(key.encode()));
  }
}
