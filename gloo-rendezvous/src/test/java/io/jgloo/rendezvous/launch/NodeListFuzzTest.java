package io.jgloo.rendezvous.launch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.FuzzContract;
import io.jgloo.transport.FuzzTarget;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Lists of hosts as SLURM writes them, for any text. */
final class NodeListFuzzTest extends FuzzContract {

  @Override
  protected List<FuzzTarget> targets() {
    byte[] sample = "login,node[1-3,07-09]-ib[0-1]".getBytes(StandardCharsets.UTF_8);
    return List.of(
        FuzzTarget.of(
            "slurm-nodes", IllegalStateException.class, sample, NodeListFuzzTest::expand));
  }

  private static void expand(byte[] input) {
    List<String> hosts = SlurmNodeList.expand(new String(input, StandardCharsets.UTF_8));
    assertTrue(hosts.size() >= 1 && hosts.size() <= 1 << 17, () -> hosts.size() + " hosts");
  }
}
