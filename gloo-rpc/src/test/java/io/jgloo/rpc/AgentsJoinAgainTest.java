package io.jgloo.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.rendezvous.ChildJvm;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.FreePort;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Agents that start, shut down and start again at one URL: a fast one reaches the store that agent
 * 0 is about to close. The long form is that of {@code -Djgloo.test.full=true}.
 */
@Timeout(600)
class AgentsJoinAgainTest {
  private static final int LOOPS = Boolean.getBoolean("jgloo.test.full") ? 100 : 8;
  private static final int LONGEST_PAUSE_MILLIS = 60;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** An agent that starts again and again; prints "done" at the end. */
  static final class Agent {
    private Agent() {}

    /** Arguments: URL, rank, size, loops. */
    public static void main(String[] arguments) throws InterruptedException {
      int rank = Integer.parseInt(arguments[1]);
      int size = Integer.parseInt(arguments[2]);
      SplittableRandom random = new SplittableRandom(rank);
      for (int loop = 0; loop < Integer.parseInt(arguments[3]); loop++) {
        try (Store store = Stores.open(arguments[0], rank, size, TIMEOUT)) {
          try (RpcAgent agent = RpcAgent.start("a" + rank, rank, size, store, options())) {
            agent.shutdown(TIMEOUT);
          }
          Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
        } catch (JGlooException | IllegalStateException e) {
          System.out.println("loop " + loop + ": " + e);
          e.printStackTrace();
          return;
        }
        Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
      }
      System.out.println("done");
    }

    private static RpcOptions options() {
      return RpcOptions.builder()
          .messenger(
              MessengerOptions.builder()
                  .device("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"))
                  .startTimeout(TIMEOUT)
                  .build())
          .build();
    }
  }

  @Test
  void agentsThatStartAgainAtOneUrl_meetInEveryLoop() throws Exception {
    String url = "tcp://127.0.0.1:" + FreePort.choose();
    List<ChildJvm> agents = new ArrayList<>();
    try {
      for (int rank = 0; rank < 3; rank++) {
        agents.add(ChildJvm.start(Agent.class, url, rank, 3, LOOPS));
      }
      for (ChildJvm agent : agents) {
        assertEquals("done", agent.line());
      }
    } finally {
      agents.forEach(ChildJvm::close);
    }
  }
}
