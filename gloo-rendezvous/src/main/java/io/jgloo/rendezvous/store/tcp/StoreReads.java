package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.store.CounterText;
import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreKeys;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Reads values at once, and tells a key that is missing from an empty value, for which the protocol
 * has the same answer.
 *
 * <p>Threads: any.
 */
final class StoreReads {

  private final StoreConnectionPool pool;
  private final Duration timeout;

  /**
   * @param timeout of each question
   */
  StoreReads(StoreConnectionPool pool, Duration timeout) {
    this.pool = pool;
    this.timeout = timeout;
  }

  /**
   * All the values, {@code null} if a key is missing.
   *
   * @param deadline of the server's answer
   */
  List<byte[]> valuesNow(List<String> keys, Deadline deadline) {
    if (!pool.dialect().answersMissing()) {
      List<byte[]> current = currentOrNull(keys, deadline);
      return current.contains(null) ? null : current;
    }
    StoreRequestBuffer request =
        new StoreRequestBuffer()
            .opcode(StoreOpcode.CHECK)
            .keys(keys)
            .opcode(StoreOpcode.MULTI_GET)
            .keys(keys);
    List<byte[]> values =
        pool.ask(
            "get",
            request,
            deadline,
            (connection, bound) -> {
              boolean all = connection.readByte(bound) == StoreOpcode.READY;
              List<byte[]> read = readValues(connection, keys.size(), bound);
              return all ? read : null;
            });
    return values == null || allAreThere(keys, values) ? values : null;
  }

  /**
   * Whether no key was deleted between the two questions: an empty answer may mean an empty value
   * or a key that is not there.
   */
  private boolean allAreThere(List<String> keys, List<byte[]> values) {
    for (int i = 0; i < keys.size(); i++) {
      if (values.get(i).length == 0) {
        String key = keys.get(i);
        byte[] current = current(key);
        if (current == null && queueLen(key) > 0) {
          throw StoreKeys.notAValue(key);
        }
        if (current == null) {
          return false;
        }
        values.set(i, current);
      }
    }
    return true;
  }

  /**
   * The values, {@code null} for keys that are missing. A compareSet from and to a random value
   * finds out: it changes nothing, and returns that value only if the key is missing.
   */
  private List<byte[]> currentOrNull(List<String> keys) {
    return currentOrNull(keys, Deadline.after(timeout));
  }

  private List<byte[]> currentOrNull(List<String> keys, Deadline deadline) {
    byte[] nonce = new byte[16];
    ThreadLocalRandom.current().nextBytes(nonce);
    StoreRequestBuffer request = new StoreRequestBuffer();
    keys.forEach(key -> request.opcode(StoreOpcode.COMPARE_SET).key(key).value(nonce).value(nonce));
    List<byte[]> values =
        pool.ask(
            "get",
            request,
            deadline,
            (connection, bound) -> readValues(connection, keys.size(), bound));
    values.replaceAll(value -> Arrays.equals(value, nonce) ? null : value);
    return values;
  }

  private static List<byte[]> readValues(StoreConnection connection, int count, Deadline deadline)
      throws IOException {
    List<byte[]> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(connection.readValue(deadline));
    }
    return values;
  }

  /** The reason of a lost connection during an add: a value that is no number, or a lost server. */
  StoreException refused(String key, IOException lost, Deadline deadline) {
    try {
      byte[] current = currentOrNull(List.of(key), deadline).get(0);
      CounterText.plus(key, current, 0);
    } catch (StoreUnavailableException e) {
      lost.addSuppressed(e);
    } catch (StoreException e) {
      return e;
    }
    return pool.lose("add", lost);
  }

  /** The value, {@code null} if the key is missing. */
  byte[] current(String key) {
    return currentOrNull(List.of(key)).get(0);
  }

  /** Number of elements of a queue. */
  long queueLen(String key) {
    return pool.ask(
        "queueLen",
        new StoreRequestBuffer().opcode(StoreOpcode.QUEUE_LEN).key(key),
        Deadline.after(timeout),
        StoreConnection::readNumber);
  }
}
