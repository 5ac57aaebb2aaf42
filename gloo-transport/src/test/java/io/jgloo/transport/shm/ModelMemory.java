package io.jgloo.transport.shm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Memory of some processes as x86 shows it to them: stores wait in a buffer of their process, in
 * order, until they are visible to the others.
 *
 * <p>A process is run again from its beginning for each step: what it has seen so far comes from
 * its record, then it makes one access that others may see or change, and is stopped at the next.
 * So all of a process's state is its record, and any state of the model can be gone on from.
 */
final class ModelMemory extends SharedMemory {

  /** Ends a run at the access that is not made yet. */
  static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1;

    Stopped() {
      super(null, null, false, false);
    }
  }

  /** A store that the other processes cannot see yet. */
  private record Store(long offset, long value) {}

  /** What there is at one moment; a value, by which states are compared. */
  record State(
      Map<Long, Long> words,
      List<Integer> rung,
      List<List<Store>> buffers,
      List<List<Long>> records,
      List<Boolean> blocked) {

    static State initial(int processes) {
      return new State(
          Map.of(),
          Collections.nCopies(processes, 0),
          Collections.nCopies(processes, List.of()),
          Collections.nCopies(processes, List.of()),
          Collections.nCopies(processes, false));
    }
  }

  private final int process;
  private final Map<Long, Long> words;
  private final List<Integer> rung;
  private final List<Store> buffer;
  private final List<List<Store>> buffers;
  private final List<Long> record;
  private final List<List<Long>> records;
  private final List<Boolean> blocked;
  private int replayed;
  private int allowed;
  private boolean fences = true;

  /**
   * @param allowed how many accesses the run makes that others may see or change
   */
  ModelMemory(State from, int process, int allowed) {
    super(0);
    this.allowed = allowed;
    this.process = process;
    words = new TreeMap<>(from.words);
    rung = new ArrayList<>(from.rung);
    buffer = new ArrayList<>(from.buffers.get(process));
    buffers = from.buffers;
    record = new ArrayList<>(from.records.get(process));
    records = from.records;
    blocked = new ArrayList<>(from.blocked);
  }

  State state() {
    return new State(words, rung, with(buffers, buffer), with(records, record), blocked);
  }

  private <T> List<T> with(List<T> all, T own) {
    List<T> now = new ArrayList<>(all);
    now.set(process, own);
    return now;
  }

  /** Makes the oldest store visible; false if there is none. */
  boolean drainOne() {
    if (buffer.isEmpty()) {
      return false;
    }
    Store oldest = buffer.remove(0);
    words.put(oldest.offset, oldest.value);
    return true;
  }

  private boolean isRecorded() {
    if (replayed < record.size()) {
      replayed++;
      return true;
    }
    return false;
  }

  /** Whether an access comes from the record; else it is made now, or the run ends before it. */
  private boolean isReplayed() {
    if (isRecorded()) {
      return true;
    }
    if (allowed == 0) {
      throw new Stopped();
    }
    return false;
  }

  private long seen(long value) {
    allowed--;
    return local(value);
  }

  /**
   * Records a step that commutes with all steps of other processes and with a store that becomes
   * visible, so it is made together with the step before it and no order of effects is lost.
   */
  private long local(long value) {
    record.add(value);
    replayed++;
    return value;
  }

  private long replay() {
    return record.get(replayed - 1);
  }

  @Override
  long getAcquire(long offset) {
    if (isReplayed()) {
      return replay();
    }
    for (int i = buffer.size() - 1; i >= 0; i--) {
      if (buffer.get(i).offset == offset) {
        return seen(buffer.get(i).value);
      }
    }
    return seen(words.getOrDefault(offset, 0L));
  }

  @Override
  void putRelease(long offset, long value) {
    if (!isRecorded()) {
      buffer.add(new Store(offset, value));
      local(0);
    }
  }

  /** A locked instruction: waits until the buffer is empty, so the step drains it. */
  @Override
  boolean compareAndSet(long offset, long expected, long value) {
    if (isReplayed()) {
      return replay() == 1;
    }
    drain();
    boolean equal = words.getOrDefault(offset, 0L) == expected;
    if (equal) {
      words.put(offset, value);
    }
    return seen(equal ? 1 : 0) == 1;
  }

  @Override
  void fullFence() {
    if (!fences) {
      return;
    }
    if (buffer.isEmpty()) {
      if (!isRecorded()) {
        local(0);
      }
    } else if (!isReplayed()) {
      drain();
      seen(0);
    }
  }

  /** From here on fences do nothing, as if they had been forgotten. */
  void ignoreFences() {
    fences = false;
  }

  private void drain() {
    while (drainOne()) {
      // until all are visible
    }
  }

  /** Bytes of a ring are words of the model; what is written is the low byte of the address. */
  @Override
  void write(long source, long offset, long length) {
    for (long i = 0; i < length; i++) {
      putRelease(offset + i, (source + i) & 0xff);
    }
  }

  /** The bytes read must be those of the target's addresses. */
  @Override
  void read(long offset, long target, long length) {
    for (long i = 0; i < length; i++) {
      long found = getAcquire(offset + i);
      if (found != ((target + i) & 0xff)) {
        throw new AssertionError(
            "byte " + (target + i) + " was read as " + found + " at offset " + offset);
      }
    }
  }

  @Override
  long address(long offset) {
    throw new UnsupportedOperationException();
  }

  /** Wakes another process, by a system call: what was stored before is visible. */
  void ring(int other) {
    if (!isReplayed()) {
      drain();
      rung.set(other, 1);
      seen(0);
    }
  }

  /** Blocks until the bell rings; a run that blocks ends there. */
  void block() {
    if (isReplayed()) {
      return;
    }
    drain();
    if (rung.get(process) == 0) {
      blocked.set(process, true);
      throw new Stopped();
    }
    blocked.set(process, false);
    rung.set(process, 0);
    seen(0);
  }
}
