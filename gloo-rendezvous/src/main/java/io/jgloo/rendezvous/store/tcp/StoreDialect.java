package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.AuthenticationException;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The requests that a store server supports, as far as versions and kinds differ.
 *
 * <p>Servers before 2.6 close the connection at a PING. PyTorch's older kind of server (the default
 * until 2.3, {@code use_libuv=0} since) closes it at a GET of a missing key, has no queues, and
 * does not wake waiters of a key that a compareSet creates.
 *
 * @param ping whether it knows PING
 * @param answersMissing whether it answers a GET of a missing key, with an empty value
 * @param known whether the server itself has shown this
 */
record StoreDialect(boolean ping, boolean answersMissing, boolean known) {
  /** The dialect that is tried first. */
  static final StoreDialect UNKNOWN = new StoreDialect(true, true, false);

  /** Whether a key that a compareSet creates wakes its waiters. */
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
     * Performs the handshake in one segment, because PyTorch's server closes the connection if a
     * handshake arrives in two. Without PING it requests the number of keys, which every server
     * answers.
     */
    void exchange(StoreConnection connection, Deadline deadline) throws IOException {
      StoreRequestBuffer handshake =
          new StoreRequestBuffer().opcode(StoreOpcode.VALIDATE).word(StoreOpcode.MAGIC);
      int nonce = ThreadLocalRandom.current().nextInt();
      if (ping) {
        handshake.opcode(StoreOpcode.PING).word(nonce);
      } else {
        handshake.opcode(StoreOpcode.GET_NUM_KEYS);
      }
      boolean asks = answersMissing && !known;
      if (asks) {
        handshake.opcode(StoreOpcode.GET).key(UUID.randomUUID().toString());
      }
      connection.send(handshake, deadline);
      if (ping) {
        int answer = connection.readWord(deadline);
        if (answer == StoreProof.NEEDED && answer != nonce) {
          throw new AuthenticationException(
              "the server of the store requires a job secret, but this process has none");
        }
        if (answer == StoreTls.NEEDED && answer != nonce) {
          throw StoreTls.needed();
        }
        requireStore(answer == nonce, "PING");
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

    /** The dialect to try after the server closed the connection; {@code null} if there is none. */
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
        throw new StoreProtocolException("the server is not a store: wrong answer to " + what);
      }
    }
  }
}
