package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.store.StoreKeys;
import io.jgloo.rendezvous.store.StoreTimeoutException;
import io.jgloo.rendezvous.time.Deadline;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.UUID;

/**
 * Barriers by the request that TCP servers have after PyTorch 2.10.
 *
 * <p>All callers of a barrier must use the same way, so a client uses the request wherever the
 * server knows it, as PyTorch's does. A server that does not know it closes the connection; so a
 * client tries it once, on a connection of its own and with a key that no other client uses.
 *
 * <p>Threads: any. Owns: nothing.
 */
final class StoreBarrier {
  private final StoreConnectionPool pool;
  private volatile Boolean known;

  StoreBarrier(StoreConnectionPool pool) {
    this.pool = pool;
  }

  /** Whether the server knows the request; tries it the first time. */
  boolean isKnown(Duration timeout) {
    Boolean answer = known;
    if (answer == null) {
      answer = probe(Deadline.after(timeout));
      known = answer;
    }
    return answer;
  }

  private boolean probe(Deadline deadline) {
    String key = "barrier-" + UUID.randomUUID();
    StoreRequestBuffer request =
        new StoreRequestBuffer().opcode(StoreOpcode.BARRIER).key(key).number(1);
    try {
      return pool.attempt(
          "barrier",
          deadline,
          connection -> {
            connection.send(request.opcode(StoreOpcode.DELETE_KEY).key(key), deadline);
            connection.readByte(deadline);
            return connection.readNumber(deadline) == 1;
          });
    } catch (IOException e) {
      return false; // if the server was lost, the next call reports it
    }
  }

  /** By the server's own request. */
  void pass(String key, int callers, Duration timeout) {
    StoreKeys.requireCallers(callers);
    Deadline deadline = Deadline.after(timeout);
    StoreRequestBuffer request =
        new StoreRequestBuffer().opcode(StoreOpcode.BARRIER).key(key).number(callers);
    long arrived =
        pool.call(
            "barrier",
            deadline.orAtLeast(StoreWaits.GRACE),
            connection -> {
              connection.send(request, deadline.orAtLeast(StoreWaits.GRACE));
              try {
                connection.readByte(deadline);
                return (long) callers;
              } catch (SocketTimeoutException e) {
                return cancel(connection, key);
              }
            });
    if (arrived < callers) {
      throw new StoreTimeoutException(timeout, key, arrived, callers);
    }
  }

  /** Cancels the wait and returns the number of callers that have arrived. */
  private static long cancel(StoreConnection connection, String key) throws IOException {
    Deadline bound = Deadline.after(StoreWaits.GRACE);
    connection.send(
        new StoreRequestBuffer()
            .opcode(StoreOpcode.CANCEL_WAIT)
            .opcode(StoreOpcode.ADD)
            .key(key)
            .number(0),
        bound);
    if (connection.readByte(bound) == StoreOpcode.READY) {
      connection.readByte(bound); // the reply was sent before the cancellation
    }
    return connection.readNumber(bound);
  }
}
