package io.jgloo.rendezvous;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Waiting for keys at a store server, and calling it off.
 *
 * <p>Threads: any. Owns: nothing.
 */
final class StoreWaits {
  /** How much longer than its timeout a wait may take when the server does not even answer. */
  private static final Duration GRACE = Duration.ofMillis(400);

  private final StoreConnectionPool pool;
  private final Duration storeTimeout;

  StoreWaits(StoreConnectionPool pool, Duration storeTimeout) {
    this.pool = pool;
    this.storeTimeout = storeTimeout;
  }

  /**
   * Returns when all keys exist.
   *
   * @param timeout what the deadline was made of, for the message
   * @throws StoreTimeoutException with the keys that are missing at the deadline
   */
  void await(List<String> keys, Deadline deadline, Duration timeout) {
    List<String> missing =
        deadline.passed()
            ? missingNow(keys)
            : pool.call("wait", deadline, connection -> await(connection, keys, deadline, timeout));
    if (!missing.isEmpty()) {
      throw new StoreTimeoutException(timeout, missing);
    }
  }

  private List<String> missingNow(List<String> keys) {
    Deadline bound = Deadline.after(storeTimeout);
    return pool.call(
        "check",
        bound,
        connection -> {
          connection.send(checks(new StoreRequestBuffer(), keys), bound);
          return readMissing(connection, keys, bound);
        });
  }

  private static List<String> await(
      StoreConnection connection, List<String> keys, Deadline deadline, Duration timeout)
      throws IOException {
    connection.send(new StoreRequestBuffer().opcode(StoreOpcode.WAIT).keys(keys), deadline);
    try {
      connection.readByte(deadline);
      return List.of();
    } catch (SocketTimeoutException e) {
      return cancel(connection, keys, timeout);
    }
  }

  /** Calls the wait off and asks, in the same breath, which keys it was that did not come. */
  private static List<String> cancel(
      StoreConnection connection, List<String> keys, Duration timeout) throws IOException {
    Deadline bound = Deadline.after(GRACE);
    StoreRequestBuffer request = new StoreRequestBuffer().opcode(StoreOpcode.CANCEL_WAIT);
    try {
      connection.send(checks(request, keys), bound);
      if (connection.readByte(bound) == StoreOpcode.READY) {
        connection.readByte(bound); // the wait's own answer had crossed the cancellation
      }
      return readMissing(connection, keys, bound);
    } catch (SocketTimeoutException e) {
      throw new StoreTimeoutException(timeout, keys); // a stalled server; the connection goes
    }
  }

  private static StoreRequestBuffer checks(StoreRequestBuffer request, List<String> keys) {
    keys.forEach(key -> request.opcode(StoreOpcode.CHECK).keys(List.of(key)));
    return request;
  }

  private static List<String> readMissing(
      StoreConnection connection, List<String> keys, Deadline bound) throws IOException {
    List<String> missing = new ArrayList<>();
    for (String key : keys) {
      if (connection.readByte(bound) != StoreOpcode.READY) {
        missing.add(key);
      }
    }
    return missing;
  }
}
