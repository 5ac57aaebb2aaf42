package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.time.Deadline;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a store server can do, as far as its versions and kinds differ.
 *
 * <p>Servers from before 2.6 hang up at a PING. PyTorch's older kind of server (the default until
 * 2.3, {@code use_libuv=0} since) hangs up at a GET of a key that is missing, has no queues, and
 * lets those who wait for a key sleep when a compareSet creates it.
 *
 * @param ping whether it knows PING
 * @param answersMissing whether it answers a GET of a missing key, with an empty value
 * @param known whether the server itself has shown this
 */
record StoreDialect(boolean ping, boolean answersMissing, boolean known) {
  /** What is asked of a server about which nothing is known yet. */
  static final StoreDialect UNKNOWN = new StoreDialect(true, true, false);

  /** Whether it may have queues; libuv servers from before 2.8 have none and hang up. */
  boolean queues() {
    return answersMissing;
  }

  /** Whether a key that a compareSet creates wakes those who wait for it. */
  boolean wakesAlways() {
    return answersMissing;
  }

  Greeting greeting() {
    return new Greeting();
  }

  /** The first exchange on a connection, which shows whether the server speaks this dialect. */
  final class Greeting {
    private boolean echoed;

    /**
     * Shakes hands; in one segment, since PyTorch's server hangs up on a handshake that arrives in
     * two. Where there is no PING the number of keys is asked for, which every server answers.
     */
    void exchange(StoreConnection connection, Deadline deadline) throws IOException {
      StoreRequestBuffer hello =
          new StoreRequestBuffer().opcode(StoreOpcode.VALIDATE).word(StoreOpcode.MAGIC);
      int nonce = ThreadLocalRandom.current().nextInt();
      if (ping) {
        hello.opcode(StoreOpcode.PING).word(nonce);
      } else {
        hello.opcode(StoreOpcode.GET_NUM_KEYS);
      }
      boolean asks = answersMissing && !known;
      if (asks) {
        hello.opcode(StoreOpcode.GET).key(UUID.randomUUID().toString());
      }
      connection.send(hello, deadline);
      if (ping) {
        requireStore(connection.readWord(deadline) == nonce, "PING");
      } else {
        requireStore(connection.readNumber(deadline) >= 0, "GETNUMKEYS");
      }
      echoed = true;
      if (asks) {
        requireStore(connection.readNumber(deadline) == 0, "GET");
      }
    }

    /** The dialect, once the exchange has succeeded. */
    StoreDialect understood() {
      return new StoreDialect(ping, answersMissing, true);
    }

    /** What to try when the server has hung up; {@code null} if there is nothing less. */
    StoreDialect lesser() {
      if (known) {
        return null;
      }
      if (echoed) {
        return new StoreDialect(ping, false, false);
      }
      return ping ? new StoreDialect(false, answersMissing, false) : null;
    }

    private void requireStore(boolean answered, String what) throws StoreProtocolException {
      if (!answered) {
        throw new StoreProtocolException("what listens there is no store: wrong answer to " + what);
      }
    }
  }
}
