package io.jgloo.collectives.cppgloo;

import io.jgloo.collectives.execution.Driver;
import io.jgloo.collectives.execution.Mailbox;
import io.jgloo.collectives.execution.MonitoredBarrier;
import io.jgloo.collectives.execution.Pending;
import io.jgloo.collectives.execution.Region;
import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.OperationTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * PyTorch's monitored barrier: every rank sends its number to rank 0 with one tag, which answers
 * all with the next one once it has heard from all.
 *
 * <p>Unlike JGloo's own, rank 0 alone learns who is missing; the others wait for their deadline, or
 * until rank 0 has closed its connections. The group does not live on.
 *
 * <p><em>Threads</em>: any, one call at a time.
 */
final class PyTorchMonitoredBarrier implements MonitoredBarrier {
  private static final int NUMBER_BYTES = Integer.BYTES;

  private final Driver driver;
  private final Mailbox mailbox;
  private final int rank;
  private final int size;

  PyTorchMonitoredBarrier(Driver driver, Mailbox mailbox, int rank, int size) {
    this.driver = driver;
    this.mailbox = mailbox;
    this.rank = rank;
    this.size = size;
  }

  /** The number that a rank sends; the value that comes back is not used. */
  private static Region number(int number) {
    byte[] bytes = new byte[NUMBER_BYTES];
    for (int i = 0; i < NUMBER_BYTES; i++) {
      bytes[i] = (byte) (number >>> (8 * i));
    }
    return new Region().heap(bytes, 0, 1, NUMBER_BYTES);
  }

  @Override
  public void await(long timeoutNanos) {
    driver.check();
    long start = driver.nanoTime();
    long asking = driver.takeNumbers(2);
    if (rank == 0) {
      call(asking, timeoutNanos, start);
    } else {
      long patience = Math.min(timeoutNanos, Long.MAX_VALUE / 4) * 2;
      Pending answered = mailbox.startRecv(0, 0, asking + 1, number(0), patience);
      mailbox.startSend(0, 0, asking, number(rank), patience).await();
      answered.await();
    }
  }

  private void call(long asking, long timeoutNanos, long start) {
    List<Pending> reports = new ArrayList<>();
    for (int peer = 1; peer < size; peer++) {
      reports.add(mailbox.startRecv(0, peer, asking, number(0), timeoutNanos));
    }
    List<Integer> missing = new ArrayList<>();
    for (int peer = 1; peer < size; peer++) {
      try {
        reports.get(peer - 1).await();
      } catch (OperationTimeoutException e) {
        missing.add(peer);
      } catch (JGlooException e) {
        if (missing.isEmpty()) {
          throw e;
        }
        missing.add(peer); // ended with the mesh, which ended with the first timeout
      }
    }
    if (!missing.isEmpty()) {
      throw late(missing, asking, timeoutNanos, start);
    }
    List<Pending> answers = new ArrayList<>();
    for (int peer = 1; peer < size; peer++) {
      answers.add(mailbox.startSend(0, peer, asking + 1, number(0), timeoutNanos));
    }
    answers.forEach(Pending::await);
  }

  private JGlooException late(List<Integer> missing, long asking, long timeoutNanos, long start) {
    String message =
        String.format(
            Locale.ROOT,
            "rank(s) %s had not arrived after %.3f s",
            Membership.list(missing),
            timeoutNanos / 1e9);
    Duration elapsed = Duration.ofNanos(driver.nanoTime() - start);
    return new OperationTimeoutException(message, missing)
        .during(
            new FailureContext(
                driver.group(),
                rank,
                "monitoredBarrier",
                asking,
                size - missing.size(),
                size,
                elapsed));
  }
}
