package io.jgloo.transport;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a server that starts later, perhaps in another process. One that the system chose
 * (port 0) might be given to another process by then: 16 of 31,152 were within 2 s, while two JVMs
 * ran the tests of this project. So this one is outside the range from which Linux chooses.
 */
public final class FreePort {
  private static final int FIRST = 10_000;
  private static final int LAST = 32_767;
  private static final int MOST_ATTEMPTS = 100;

  private FreePort() {}

  /** A port on which no process listens now, at any address of this host. */
  public static int choose() throws IOException {
    int taken = 0;
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      try (ServerSocket free = new ServerSocket(port)) {
        return free.getLocalPort();
      } catch (IOException e) {
        taken++;
        if (taken == MOST_ATTEMPTS) {
          throw e;
        }
      }
    }
  }
}
