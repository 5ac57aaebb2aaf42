package io.jgloo.transport.ibverbs;

import io.jgloo.transport.FuzzContract;
import io.jgloo.transport.FuzzTarget;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.ibverbs.verbs.Gid;
import java.util.Arrays;
import java.util.List;

/** What queue pairs say of themselves, for any bytes. */
final class IntroductionFuzzTest extends FuzzContract {

  @Override
  protected List<FuzzTarget> targets() {
    return List.of(
        FuzzTarget.of(
            "introduction",
            ProtocolException.class,
            new Introduction(1, 2, Gid.ABSENT, 0, 3, 1, 64, 4096, 16, 65536).encode(),
            input -> Introduction.decode(Arrays.copyOf(input, Introduction.BYTES))));
  }
}
