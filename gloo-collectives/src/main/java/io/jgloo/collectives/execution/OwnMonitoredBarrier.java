package io.jgloo.collectives.execution;

import io.jgloo.transport.FailureContext;
import io.jgloo.transport.Membership;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.Slot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A barrier that names the missing ranks: all others report to rank 0, which answers them.
 *
 * <p>It is made of messages and no collective, because messages can be withdrawn: the group lives
 * on. Rank 0's answer goes to the missing ranks too, so that one that comes late learns of it and
 * the next monitored barrier finds all ranks at the same number. What a late rank reports stays
 * unread until the mesh closes; it is a message without bytes.
 *
 * <p>PyTorch's monitored barrier has rank 0 report only; ranks that did arrive then wait for their
 * own deadlines, and none but rank 0 knows the names.
 *
 * <p><em>Threads</em>: any, one call at a time.
 */
final class OwnMonitoredBarrier implements MonitoredBarrier {

  private static final String NAME = "monitoredBarrier";

  private final Driver driver;
  private final Mailbox mailbox;
  private final int rank;
  private final int size;
  private final AtomicLong calls = new AtomicLong();

  OwnMonitoredBarrier(Driver driver, Mailbox mailbox, int rank, int size) {
    this.driver = driver;
    this.mailbox = mailbox;
    this.rank = rank;
    this.size = size;
  }

  /** The missing ranks, one bit each: what rank 0 answers. */
  private static final class Answer {
    private final byte[] bits;

    Answer(int size) {
      bits = new byte[(size + 7) / 8];
    }

    Region region() {
      return new Region().heap(bits, 0, 1, bits.length);
    }

    void set(List<Integer> ranks) {
      for (int each : ranks) {
        bits[each / 8] |= (byte) (1 << each % 8);
      }
    }

    List<Integer> ranks() {
      return BitSet.valueOf(bits).stream().boxed().toList();
    }
  }

  @Override
  public void await(long timeoutNanos) {
    driver.check();
    long start = driver.nanoTime();
    long number = calls.getAndIncrement();
    List<Integer> missing = rank == 0 ? call(number, timeoutNanos) : report(number, timeoutNanos);
    if (!missing.isEmpty()) {
      Duration elapsed = Duration.ofNanos(driver.nanoTime() - start);
      String late = missing.contains(rank) ? ", this one, which came too late, among them" : "";
      String message =
          String.format(
              Locale.ROOT,
              "rank(s) %s had not arrived %s%s",
              Membership.list(missing),
              rank == 0
                  ? String.format(Locale.ROOT, "after %.3f s", timeoutNanos / 1e9)
                  : "in time",
              late);
      throw new OperationTimeoutException(message, missing)
          .during(
              new FailureContext(
                  driver.group(), rank, NAME, number, size - missing.size(), size, elapsed));
    }
  }

  /** Rank 0: the ranks that have not reported in time. */
  private List<Integer> call(long number, long timeoutNanos) {
    Pending[] reports = new Pending[size];
    for (int peer = 1; peer < size; peer++) {
      reports[peer] = mailbox.startRecv(Slot.ROLL_CALL, peer, number, nothing(), timeoutNanos);
    }
    List<Integer> missing = new ArrayList<>();
    for (int peer = 1; peer < size; peer++) {
      if (!arrived(reports[peer])) {
        missing.add(peer);
      }
    }
    Answer answer = new Answer(size);
    answer.set(missing);
    List<Pending> answers = new ArrayList<>();
    for (int peer = 1; peer < size; peer++) {
      Pending sending =
          mailbox.startSend(Slot.ROLL_CALL, peer, number, answer.region(), timeoutNanos);
      if (!missing.contains(peer)) {
        answers.add(sending); // a missing rank may never take its answer
      }
    }
    answers.forEach(Pending::await);
    return missing;
  }

  private boolean arrived(Pending report) {
    try {
      report.await();
      return true;
    } catch (OperationTimeoutException e) {
      driver.check(); // this deadline, or one that ended the group
      return false;
    }
  }

  /** Any other rank: reports to rank 0, which answers with the missing ranks. */
  private List<Integer> report(long number, long timeoutNanos) {
    long patience = Math.min(timeoutNanos, Long.MAX_VALUE / 4) * 2;
    Answer answer = new Answer(size);
    Pending answering = mailbox.startRecv(Slot.ROLL_CALL, 0, number, answer.region(), patience);
    Pending reporting = mailbox.startSend(Slot.ROLL_CALL, 0, number, nothing(), patience);
    boolean reported = arrived(reporting);
    boolean answered = arrived(answering); // in any case: its memory must be free
    return reported && answered ? answer.ranks() : List.of(0);
  }

  private static Region nothing() {
    return new Region().at(0, 0, null);
  }
}
