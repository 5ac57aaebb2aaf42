package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Work;
import io.jgloo.bench.operation.Trial.Findings;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.transport.OperationTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A barrier: no rank leaves before all have entered.
 *
 * <p>Verified without clocks: one rank is late. The others send it a message as soon as they have
 * left, and until it enters, no message must have arrived.
 */
final class BarrierOperation implements Operation {

  @Override
  public Optional<Collective> collective() {
    return Optional.of(Collective.BARRIER);
  }

  @Override
  public boolean sized() {
    return false;
  }

  @Override
  public Trial trial(ProcessGroup group, Workload work, long count) {
    return new BarrierTrial(work.measured(group, collective()));
  }

  private record BarrierTrial(ProcessGroup group) implements Trial {
    private static final long TAG = 2;

    /** How late a rank is: time enough for a broken barrier to let the others through. */
    private static final Duration LATENESS = Duration.ofMillis(2);

    private static final int MOST_LATE = 8;

    @Override
    public String algorithm() {
      return group.explain(Collective.BARRIER, DataType.INT8, 0);
    }

    @Override
    public void verify(int round, Findings findings) {
      int size = group.size();
      for (int turn = 0; turn < Math.min(size, MOST_LATE); turn++) {
        int late = (turn + round * MOST_LATE) % size;
        if (group.rank() == late) {
          comeLate(findings);
        } else {
          group.barrier();
          group.send(Payload.of(new int[] {group.rank()}), late, TAG);
        }
      }
    }

    private void comeLate(Findings findings) {
      List<Work> notes = new ArrayList<>();
      for (int peer = 0; peer < group.size(); peer++) {
        if (peer != group.rank()) {
          notes.add(group.async().recv(Payload.of(new int[1]), peer, TAG));
        }
      }
      if (!notes.isEmpty()) {
        receiveForAWhile(notes.get(0));
      }
      for (Work note : notes) {
        if (note.isDone()) {
          findings.wrong("a rank left before rank " + group.rank() + " had entered");
        }
      }
      group.barrier();
      notes.forEach(Work::await);
    }

    private static void receiveForAWhile(Work note) {
      try {
        note.await(LATENESS);
      } catch (OperationTimeoutException e) {
        // As it should be: the message cannot be there yet.
      }
    }

    @Override
    public void call() {
      group.barrier();
    }
  }
}
