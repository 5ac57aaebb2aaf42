package io.jgloo.transport.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** All states that some processes can reach in a {@link ModelMemory}. */
final class Interleavings {

  /** What one process does. */
  interface Program {
    void run(ModelMemory memory);
  }

  private final List<Program> processes;
  private final Set<ModelMemory.State> seen = new HashSet<>();
  private final ArrayDeque<ModelMemory.State> open = new ArrayDeque<>();
  private int ends;

  private Interleavings(List<Program> processes) {
    this.processes = processes;
  }

  /** Visits all states, says how many there are, and that some are ends. */
  static void explore(String what, Program... processes) {
    Interleavings all = new Interleavings(List.of(processes));
    ModelMemory.State start = ModelMemory.State.initial(processes.length);
    for (int process = 0; process < processes.length; process++) {
      ModelMemory memory = new ModelMemory(start, process, 0);
      all.run(process, memory);
      start = memory.state();
    }
    all.visit(start);
    while (!all.open.isEmpty()) {
      all.expand(all.open.pop());
    }
    System.out.println(what + ": " + all.seen.size() + " states, " + all.ends + " ends");
    assertTrue(all.ends > 0, "no run came to its end");
  }

  private void visit(ModelMemory.State state) {
    if (seen.add(state)) {
      open.push(state);
    }
  }

  private void expand(ModelMemory.State state) {
    boolean moved = false;
    int done = 0;
    for (int process = 0; process < processes.size(); process++) {
      ModelMemory late = new ModelMemory(state, process, 0);
      if (late.drainOne()) {
        moved = true;
        visit(late.state());
      }
      ModelMemory memory = new ModelMemory(state, process, 1);
      boolean returned = run(process, memory);
      ModelMemory.State next = memory.state();
      if (!next.equals(state)) {
        moved = true;
        visit(next);
      } else if (returned) {
        done++;
      }
    }
    if (!moved) {
      assertEquals(processes.size(), done, () -> "a process sleeps for good: " + state);
      ends++;
    }
  }

  /** Returns whether the process came to its end. */
  private boolean run(int process, ModelMemory memory) {
    try {
      processes.get(process).run(memory);
      return true;
    } catch (ModelMemory.Stopped e) {
      return false; // it goes on in a later step
    }
  }
}
