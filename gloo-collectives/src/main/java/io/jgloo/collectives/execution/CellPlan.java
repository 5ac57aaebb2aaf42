package io.jgloo.collectives.execution;

import io.jgloo.collectives.Schedule.Kind;
import io.jgloo.collectives.Space;
import io.jgloo.transport.Request;
import io.jgloo.transport.capability.Cells;
import io.jgloo.transport.memory.Memory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A schedule of one round done on cells: no requests, no queue.
 *
 * <p>First all operations up to the last send are done, the sends into cells of the peers. When the
 * cells of all receives are here the rest is done in program order, in which a receive is a copy
 * out of its cell; where what is received is only read from then on, it is read in the cell.
 *
 * <p><em>Threads</em>: the one that makes progress, see {@link CellBoard}. Nothing is allocated in
 * a run. In one file because both parts of a run share the tables made of the schedule.
 */
final class CellPlan extends CachedRun {

  private final CellBoard board;
  private final int sends; // operations up to the last send
  private final int[] targets; // of sends
  private final int[] lengths; // of sends
  private final int[] origins; // of receives
  private final long allOrigins; // by bit
  private final int[] inCell; // by local operation: receive whose cell is its source, or -1
  private final boolean[] skipped; // receives that are read in their cells
  private final boolean plainSends;
  private final boolean inPlace;
  private final long inputBytes; // of staging memory, as the next two
  private final long outputBytes;
  private final long scratchBytes;
  private final boolean[] receives;
  private final boolean kept; // by the board, not by the cache
  private boolean busy;
  private boolean published;
  private int arrived;
  private long slots;
  private volatile boolean ready;

  /** What went wrong before this was a run. */
  Throwable broken;

  /** Ranks that the board has found missing, by bit. */
  volatile long missing;

  CellPlan(PlanFamily family, PlanCache cache, Driver driver, CellBoard board, boolean kept) {
    super(family, cache, driver, space -> new Operand(family, space));
    this.board = board;
    this.kept = kept;
    int operations = schedule.operations();
    sends = 1 + IntStream.range(0, operations).filter(op -> is(op, Kind.SEND)).max().orElse(-1);
    targets = peers(IntStream.range(0, sends).filter(op -> is(op, Kind.SEND)));
    lengths =
        IntStream.range(0, sends)
            .filter(op -> is(op, Kind.SEND))
            .map(op -> (int) schedule.length(op))
            .toArray();
    origins = peers(IntStream.range(0, operations).filter(op -> schedule.kind(op).isReceive()));
    allOrigins = Arrays.stream(origins).mapToLong(peer -> 1L << peer).sum();
    plainSends = targets.length == sends;
    inPlace = schedule.shape().inPlace();
    inputBytes = aligned(schedule.bytes(Space.INPUT));
    outputBytes = aligned(schedule.bytes(Space.OUTPUT));
    scratchBytes = aligned(schedule.scratchBytes());
    receives = new boolean[operations];
    for (int op = 0; op < operations; op++) {
      receives[op] = schedule.kind(op).isReceive();
    }
    inCell = new int[operations];
    skipped = new boolean[operations];
    Arrays.fill(inCell, -1);
    IntStream.range(sends, operations).filter(op -> is(op, Kind.RECV)).forEach(this::readInCell);
  }

  private boolean is(int op, Kind kind) {
    return schedule.kind(op) == kind;
  }

  private int[] peers(IntStream messages) {
    return messages.map(schedule::peer).toArray();
  }

  /** A message into scratch memory that is only read as a whole needs no copy. */
  private void readInCell(int receive) {
    boolean only = schedule.space(receive) == Space.SCRATCH;
    for (int op = receive + 1; only && op < schedule.operations(); op++) {
      boolean written = schedule.space(op) == Space.SCRATCH && overlaps(op, receive, false);
      boolean read = isLocal(op) && schedule.sourceSpace(op) == Space.SCRATCH;
      only = !written && (!read || isWhole(op, receive) || !overlaps(op, receive, true));
    }
    if (only) {
      skipped[receive] = true;
      for (int op = receive + 1; op < schedule.operations(); op++) {
        boolean read = isLocal(op) && schedule.sourceSpace(op) == Space.SCRATCH;
        if (read && isWhole(op, receive)) {
          inCell[op] = receive;
        }
      }
    }
  }

  private boolean isLocal(int op) {
    return !schedule.kind(op).isMessage();
  }

  private boolean isWhole(int op, int receive) {
    return schedule.sourceOffset(op) == schedule.offset(receive)
        && schedule.length(op) == schedule.length(receive);
  }

  private boolean overlaps(int op, int receive, boolean source) {
    long start = source ? schedule.sourceOffset(op) : schedule.offset(op);
    return start < schedule.offset(receive) + schedule.length(receive)
        && schedule.offset(receive) < start + schedule.length(op);
  }

  @Override
  void bind(Call call) {
    boolean bound = false;
    try {
      input.hold(call.input());
      output.hold(call.output());
      bound = true;
    } finally {
      if (!bound) {
        release();
      }
    }
    slots = family.slots(call);
    busy = true;
    published = false;
    arrived = 0;
    broken = null;
    if (missing != allOrigins) { // a write takes as long as a lock
      missing = allOrigins;
    }
  }

  /** Ends a run that no other thread knows of. */
  void end() {
    release();
    busy = false;
  }

  private static long aligned(long bytes) {
    return (bytes + Memory.CACHE_LINE - 1) / Memory.CACHE_LINE * Memory.CACHE_LINE;
  }

  /** Whether a call has it; the next one may bind it when it is not ready any more, either. */
  boolean isBusy() {
    return busy || ready;
  }

  boolean isPublished() {
    return published;
  }

  /** Whether it may be advanced; until then it only has its place in the order. */
  boolean isReady() {
    return ready;
  }

  void isReady(boolean value) {
    ready = value;
  }

  /** Second word of the fingerprint of the call. */
  long low() {
    return family.low(past());
  }

  /** Peers whose cells are not here, by bit. */
  long withoutCell() {
    long peers = 0;
    for (int i = arrived; i < origins.length; i++) {
      peers |= board.channel(origins[i]).hasCell() ? 0 : 1L << origins[i];
    }
    return peers;
  }

  /** Peers that have no free cell, by bit. */
  long withoutRoom() {
    long peers = 0;
    for (int i = 0; i < targets.length; i++) {
      peers |= hasRoom(i) ? 0 : 1L << targets[i];
    }
    return peers;
  }

  /** Whether the cells for all sends are free. */
  boolean hasRoom() {
    for (int i = 0; i < targets.length; i++) {
      if (!hasRoom(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean hasRoom(int send) {
    return board.channel(targets[send]).hasRoom(lengths[send]);
  }

  /** Does the first part: publishes what this rank sends. */
  void publish() {
    long staging = board.staging(inputBytes + outputBytes + scratchBytes);
    input.place(staging);
    output.place(staging + inputBytes);
    scratch.place(staging + inputBytes + outputBytes);
    output.scaleInPlace();
    if (!plainSends) {
      load(input);
      load(output);
    }
    long low = low();
    for (int op = 0; op < sends; op++) {
      if (is(op, Kind.SEND)) {
        send(op, low);
      } else {
        compute(op, source(op));
      }
    }
    published = true;
    for (int peer : targets) {
      board.wake(peer);
    }
  }

  private void send(int op, long low) {
    Cells.Channel channel = board.channel(schedule.peer(op));
    int length = (int) schedule.length(op);
    if (length > 0) {
      Operand from = operand(schedule.space(op));
      if (plainSends && from.isStaged()) {
        from.load(schedule.offset(op), channel.place(length), length);
      } else {
        channel.write(from.address() + schedule.offset(op), length);
      }
    }
    channel.publish(family.high(), low, length);
  }

  /** Whether the cells of all receives are here; remembers how many it has seen. */
  boolean hasArrived() {
    while (arrived < origins.length && board.channel(origins[arrived]).hasCell()) {
      board.check(this, origins[arrived]);
      arrived++;
    }
    return arrived == origins.length;
  }

  /** Does the second part: all cells are here. */
  void complete() {
    if (plainSends) {
      load(input);
    }
    if (plainSends && inPlace) {
      load(output);
    }
    int operations = schedule.operations();
    for (int op = sends; op < operations; op++) {
      if (!skipped[op]) {
        compute(op, source(op));
      }
    }
    for (int peer : origins) {
      if (board.channel(peer).free()) {
        board.wake(peer);
      }
    }
    output.complete();
  }

  private static void load(Operand operand) {
    if (operand.isStaged()) {
      operand.load(0, operand.address(), operand.bytes());
    }
  }

  private long source(int op) {
    if (receives[op]) {
      return cell(op);
    }
    return inCell[op] >= 0
        ? cell(inCell[op])
        : operand(schedule.sourceSpace(op)).address() + schedule.sourceOffset(op);
  }

  private long cell(int receive) {
    return board.channel(schedule.peer(receive)).address((int) schedule.length(receive));
  }

  private void compute(int op, long source) {
    Kind kind = schedule.kind(op);
    long target = operand(schedule.space(op)).address() + schedule.offset(op);
    long length = schedule.length(op);
    if (kind == Kind.REDUCE || kind == Kind.RECV_REDUCE) {
      kernel(op).reduce(target, source, length);
    } else if (length > 0) {
      Memory.copy(source, target, length);
    }
  }

  /** What a receive from a peer must bring. */
  long lengthFrom(int peer) {
    for (int op = sends; op < schedule.operations(); op++) {
      if (receives[op] && schedule.peer(op) == peer) {
        return schedule.length(op);
      }
    }
    return 0;
  }

  // As a run among others.

  @Override
  void enrolled() {
    board.add(this);
  }

  @Override
  void begin() {
    ready = true;
    board.begin();
  }

  @Override
  void advance(Request request) {
    throw new IllegalStateException("a run on cells has no requests");
  }

  @Override
  void stop() {
    // The board ends it, as the mesh has failed.
  }

  @Override
  void recycle() {
    busy = false;
    ready = false; // last: from here on another thread may have it
    if (!kept) {
      cache.give(this);
    }
  }

  @Override
  long slot() {
    return family.dialect().firstSlot(slots, sequence());
  }

  @Override
  List<Integer> missingPeers() {
    long peers = missing;
    return IntStream.range(0, Long.SIZE).filter(peer -> (peers >>> peer & 1) != 0).boxed().toList();
  }

  @Override
  List<Integer> missedPeers() {
    return missingPeers();
  }

  @Override
  int step() {
    return (published ? targets.length : 0) + arrived;
  }

  @Override
  int steps() {
    return targets.length + origins.length;
  }
}
