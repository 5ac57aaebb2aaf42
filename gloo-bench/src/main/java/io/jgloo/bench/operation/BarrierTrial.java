package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Work;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.transport.OperationTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A barrier at one rank.
 *
 * <p>Verified without clocks: one rank is late. The others tell it as soon as they have left, and
 * until it enters, it must not have heard of any of them.
 */
final class BarrierTrial implements Trial {

  private static final long TAG = 2;

  /** How late a rank is: time enough for a broken barrier to let the others through. */
  private static final Duration LATENESS = Duration.ofMillis(2);

  private static final int MOST_LATE = 8;

  private final Seat seat;
  private final ProcessGroup group;

  BarrierTrial(Seat seat) {
    this.seat = seat;
    group = seat.measured(Optional.of(Collective.BARRIER));
  }

  @Override
  public String algorithm() {
    return group.explain(Collective.BARRIER, DataType.INT8, 0);
  }

  @Override
  public void verify(int round, Findings findings) {
    int size = seat.size();
    for (int turn = 0; turn < Math.min(size, MOST_LATE); turn++) {
      int late = (turn + round * MOST_LATE) % size;
      if (seat.rank() == late) {
        comeLate(findings);
      } else {
        group.barrier();
        group.send(Payload.of(new int[] {seat.rank()}), late, TAG);
      }
    }
  }

  private void comeLate(Findings findings) {
    List<Work> notes = new ArrayList<>();
    for (int peer = 0; peer < seat.size(); peer++) {
      if (peer != seat.rank()) {
        notes.add(group.recvAsync(Payload.of(new int[1]), peer, TAG));
      }
    }
    if (!notes.isEmpty()) {
      linger(notes.get(0));
    }
    for (Work note : notes) {
      if (note.isDone()) {
        findings.wrong("a rank left before rank " + seat.rank() + " had entered");
      }
    }
    group.barrier();
    for (Work note : notes) {
      note.await();
    }
  }

  /** Lets messages come in for a while. */
  private static void linger(Work note) {
    try {
      note.await(LATENESS);
    } catch (OperationTimeoutException e) {
      // As it should be: the message cannot be there yet.
    }
  }

  @Override
  public void settle() {
    // No data.
  }

  @Override
  public void call() {
    group.barrier();
  }

  @Override
  public void checkSettled(Findings findings) {
    // A barrier leaves nothing behind; the verified rounds say whether it holds.
  }

  @Override
  public void close() {
    // No vectors.
  }
}
