package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rendezvous.ChildJvm;
import io.jgloo.transport.FreePort;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Nodes that start, finish and start again at one port of the scheduler: a fast one reaches the
 * store that the scheduler is about to close. The long form is that of {@code
 * -Djgloo.test.full=true}.
 */
@Timeout(600)
class NodesJoinAgainTest {
  private static final int LOOPS = Boolean.getBoolean("jgloo.test.full") ? 100 : 6;
  private static final int LONGEST_PAUSE_MILLIS = 60;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** A node that starts again and again; prints "done" at the end. */
  static final class Node {
    private Node() {}

    /** Arguments: role, port, loops. */
    public static void main(String[] arguments) throws InterruptedException {
      Role role = Role.valueOf(arguments[0]);
      SplittableRandom random = new SplittableRandom(role.name().hashCode());
      for (int loop = 0; loop < Integer.parseInt(arguments[2]); loop++) {
        PsOptions options =
            PsOptions.of(role, new Topology(1, 1), "127.0.0.1", Integer.parseInt(arguments[1]));
        try (PsNode node = new PsNode(options.withStartTimeout(TIMEOUT))) {
          node.start();
          node.barrier(Topology.ALL, TIMEOUT);
          if (node.isReplacement() || !node.finish(TIMEOUT)) {
            System.out.println("loop " + loop + ": a node of another run");
            return;
          }
        } catch (JGlooException | IllegalStateException e) {
          System.out.println("loop " + loop + ": " + e);
          e.printStackTrace();
          return;
        }
        Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
      }
      System.out.println("done");
    }
  }

  @Test
  void nodesThatStartAgainAtOnePort_meetInEveryLoop() throws Exception {
    int port = FreePort.choose();
    List<ChildJvm> nodes = new ArrayList<>();
    try {
      for (Role role : Role.values()) {
        nodes.add(ChildJvm.start(Node.class, role, port, LOOPS));
      }
      for (ChildJvm node : nodes) {
        assertEquals("done", node.line());
      }
    } finally {
      nodes.forEach(ChildJvm::close);
    }
  }
}
