package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.store.StoreTimeoutException;
import io.jgloo.rendezvous.time.Deadline;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Waits for keys at a store server, and their cancellation.
 *
 * <p>Threads: any. Owns: nothing.
 */
final class StoreWaits {
  /** How much longer than its timeout a wait may take when the server does not answer. */
  static final Duration GRACE = Duration.ofSeconds(1);

  /** The period of polls where not every new key wakes its waiters. */
  private static final Duration SLICE = Duration.ofMillis(100);

  private static final int LEAST_DIVIDED = 16;

  private final StoreConnectionPool pool;
  private final Duration storeTimeout;

  StoreWaits(StoreConnectionPool pool, Duration storeTimeout) {
    this.pool = pool;
    this.storeTimeout = storeTimeout;
  }

  /**
   * Returns when all keys exist.
   *
   * @param timeout the timeout of the call, for the message
   * @throws StoreTimeoutException with the keys that are missing at the deadline
   */
  void await(List<String> keys, Deadline deadline, Duration timeout) {
    List<String> missing = await(keys, parts(keys), deadline, timeout);
    if (!missing.isEmpty()) {
      throw new StoreTimeoutException(timeout, missing);
    }
  }

  /** Whether all keys exist before the deadline; asks about all of them together. */
  boolean reached(List<String> keys, Deadline deadline, Duration timeout) {
    try {
      return await(keys, List.of(keys), deadline, timeout).isEmpty();
    } catch (StoreTimeoutException e) {
      return false; // the server has not answered yet
    }
  }

  /** Returns the keys of those parts that are missing at the deadline. */
  private List<String> await(
      List<String> keys, List<List<String>> parts, Deadline deadline, Duration timeout) {
    while (true) {
      List<String> missing =
          deadline.passed()
              ? missingNow(parts)
              : pool.call(
                  "wait",
                  deadline.orAtLeast(GRACE),
                  waiting -> await(waiting, keys, parts, deadline, timeout));
      if (missing.isEmpty() || deadline.passed()) {
        return missing;
      }
    }
  }

  private List<String> missingNow(List<List<String>> parts) {
    Deadline bound = Deadline.after(storeTimeout);
    return pool.call("check", bound, connection -> ask(connection, parts, bound));
  }

  /** The keys that are missing when the server or the deadline ends the wait. */
  private List<String> await(
      StoreConnection connection,
      List<String> keys,
      List<List<String>> parts,
      Deadline deadline,
      Duration timeout)
      throws IOException {
    Deadline slice = Deadline.after(SLICE);
    boolean sliced = !pool.dialect().wakesAlways() && slice.isBefore(deadline);
    Deadline sending = deadline.orAtLeast(GRACE);
    connection.send(new StoreRequestBuffer().opcode(StoreOpcode.WAIT).keys(keys), sending);
    try {
      connection.readByte(sliced ? slice : deadline);
    } catch (SocketTimeoutException e) {
      return cancel(connection, keys, parts, deadline.orAtLeast(GRACE), timeout);
    }
    // PyTorch's server also wakes waiters of a key that a compareSet did not create, or was
    // deleted.
    Deadline bound = deadline.orAtLeast(GRACE);
    connection.send(new StoreRequestBuffer().opcode(StoreOpcode.CHECK).keys(keys), bound);
    if (connection.readByte(bound) == StoreOpcode.READY) {
      return List.of();
    }
    return ask(connection, parts, bound);
  }

  /** Cancels the wait and checks, in the same segment, which keys are missing. */
  private static List<String> cancel(
      StoreConnection connection,
      List<String> keys,
      List<List<String>> parts,
      Deadline bound,
      Duration timeout)
      throws IOException {
    StoreRequestBuffer request = new StoreRequestBuffer().opcode(StoreOpcode.CANCEL_WAIT);
    try {
      connection.send(checks(request, parts), bound);
      if (connection.readByte(bound) == StoreOpcode.READY) {
        connection.readByte(bound); // the reply to the wait was sent before the cancellation
      }
      return readMissing(connection, parts, bound);
    } catch (SocketTimeoutException e) {
      throw new StoreTimeoutException(timeout, keys); // a stalled server; the connection is closed
    }
  }

  /**
   * The keys in parts of the square root of their number, in order; few keys one by one. A part
   * that exists takes one request; so a wait for P keys of which few are missing takes about the
   * square root of P.
   */
  private static List<List<String>> parts(List<String> keys) {
    int length = keys.size() < LEAST_DIVIDED ? 1 : (int) Math.ceil(Math.sqrt(keys.size()));
    List<List<String>> parts = new ArrayList<>();
    for (int first = 0; first < keys.size(); first += length) {
      parts.add(keys.subList(first, Math.min(keys.size(), first + length)));
    }
    return parts;
  }

  private static StoreRequestBuffer checks(StoreRequestBuffer request, List<List<String>> parts) {
    parts.forEach(part -> request.opcode(StoreOpcode.CHECK).keys(part));
    return request;
  }

  /** Asks for each part whether all its keys exist; returns the keys that are missing. */
  private static List<String> ask(
      StoreConnection connection, List<List<String>> parts, Deadline bound) throws IOException {
    connection.send(checks(new StoreRequestBuffer(), parts), bound);
    return readMissing(connection, parts, bound);
  }

  /** Reads which parts are missing, and asks for each key of these, unless there is one part. */
  private static List<String> readMissing(
      StoreConnection connection, List<List<String>> parts, Deadline bound) throws IOException {
    List<String> incomplete = new ArrayList<>();
    for (List<String> part : parts) {
      if (connection.readByte(bound) != StoreOpcode.READY) {
        incomplete.addAll(part);
      }
    }
    if (incomplete.isEmpty() || parts.size() == 1 || parts.get(0).size() == 1) {
      return incomplete;
    }
    return ask(connection, incomplete.stream().map(List::of).toList(), bound);
  }
}
