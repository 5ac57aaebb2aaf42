package io.jgloo.collectives.execution;

import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule.Kind;
import io.jgloo.transport.Request;
import io.jgloo.transport.capability.Cells;
import io.jgloo.transport.memory.Memory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A plan whose messages are cells, at most one from each rank to each: no requests, no queue.
 *
 * <p>A message into scratch memory that is only read there is read in its cell. The cells are given
 * back at the end.
 *
 * <p><em>Threads</em>: the one that makes progress, see {@link CellBoard}.
 */
final class CellPlan extends Plan {

  private final CellBoard board;
  private final Cells.Channel[] channels; // of the messages, null for others
  private final int[] receives;
  private final long allOrigins; // by bit
  private final int[] inCell; // by operation: receive whose cell it reads, or -1
  private final boolean[] skipped; // receives that are read in their cells
  private final long inputBytes; // of staging memory, as the next two
  private final long outputBytes;
  private final long scratchBytes;
  private final boolean inPlace;
  private final boolean kept; // by the board, not by the executor
  private int next; // operation
  private long published; // peers to be woken, by bit
  private long low;
  private boolean busy;
  private boolean prepared;
  private volatile boolean ready;

  /** What went wrong before this was a run. */
  Throwable broken;

  /** Ranks that the board has found missing, by bit. */
  volatile long missing;

  CellPlan(PlanFamily family, Executor executor, Driver driver, CellBoard board, boolean kept) {
    super(family, executor, driver, space -> new Operand(family, space));
    this.board = board;
    this.kept = kept;
    inputBytes = aligned(schedule.bytes(Space.INPUT));
    outputBytes = aligned(schedule.bytes(Space.OUTPUT));
    inPlace = schedule.shape().inPlace();
    scratchBytes = aligned(schedule.scratchBytes());
    channels = new Cells.Channel[kinds.length];
    inCell = new int[kinds.length];
    skipped = new boolean[kinds.length];
    Arrays.fill(inCell, -1);
    for (int op = 0; op < kinds.length; op++) {
      channels[op] = kinds[op].isMessage() ? board.channel(peerOf[op]) : null;
      if (kinds[op].isReceive()) {
        inCell[op] = op;
      }
      if (kinds[op] == Kind.RECV && schedule.space(op) == Space.SCRATCH) {
        readInCell(op);
      }
    }
    receives = IntStream.range(0, kinds.length).filter(op -> kinds[op].isReceive()).toArray();
    allOrigins = IntStream.of(receives).mapToLong(op -> 1L << peerOf[op]).sum();
  }

  private static long aligned(long bytes) {
    return (bytes + Memory.CACHE_LINE - 1) / Memory.CACHE_LINE * Memory.CACHE_LINE;
  }

  /** Each message into scratch memory has a place of its own there, and is read as a whole. */
  private void readInCell(int receive) {
    long place = offsets[receive];
    IntStream later =
        IntStream.range(receive + 1, kinds.length).filter(op -> !kinds[op].isMessage());
    int[] local = later.toArray();
    for (int op : local) {
      if (schedule.space(op) == Space.SCRATCH && offsets[op] == place) {
        return; // another operation writes there
      }
    }
    skipped[receive] = true;
    for (int op : local) {
      if (schedule.sourceSpace(op) == Space.SCRATCH && sourceOffsets[op] == place) {
        inCell[op] = receive;
      }
    }
  }

  @Override
  void bindOperands(Call call) {
    input.hold(call.input());
    output.hold(call.output());
    busy = true;
    prepared = false;
    next = 0;
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

  /** Whether a call has it; the next one may bind it when it is not ready any more, either. */
  boolean isBusy() {
    return busy || ready;
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

  /** Goes on until a message cannot move; whether none is left. */
  boolean proceed() {
    if (!prepared) {
      prepare(board.staging(inputBytes + outputBytes + scratchBytes));
    }
    while (next < kinds.length && execute(next)) {
      next++;
    }
    wakePublished();
    if (next < kinds.length) {
      return false;
    }
    for (int op : receives) {
      if (channels[op].free()) {
        board.wake(peerOf[op]);
      }
    }
    output.complete();
    return true;
  }

  private void prepare(long staging) {
    input.place(staging, true);
    output.place(staging + inputBytes, inPlace);
    scratch.place(staging + inputBytes + outputBytes, false);
    input.prepare();
    output.prepare();
    low = low();
    published = 0;
    prepared = true;
  }

  private void wakePublished() {
    for (long peers = published; peers != 0; peers &= peers - 1) {
      board.wake(Long.numberOfTrailingZeros(peers));
    }
    published = 0;
  }

  /** Does an operation, unless it needs a cell that is not there. */
  private boolean execute(int op) {
    Kind kind = kinds[op];
    if (channels[op] != null && !hasCell(op)) {
      return false;
    }
    if (kind == Kind.SEND) {
      send(op, channels[op]);
      return true;
    }
    if (channels[op] != null) {
      board.check(this, peerOf[op], lengths[op]);
    }
    if (!skipped[op]) {
      targets[op].before(offsets[op], lengths[op], kind == Kind.RECV || kind == Kind.COPY);
      compute(op);
    }
    return true;
  }

  private boolean hasCell(int op) {
    return kinds[op] == Kind.SEND
        ? channels[op].hasRoom((int) lengths[op])
        : channels[op].hasCell();
  }

  private void send(int op, Cells.Channel channel) {
    int length = (int) lengths[op];
    if (targets[op].isUnloaded() && length > 0) {
      targets[op].load(offsets[op], channel.place(length), length);
    } else if (length > 0) {
      channel.write(targets[op].address() + offsets[op], length);
    }
    channel.publish(family.high(), low, length);
    published |= 1L << peerOf[op];
  }

  @Override
  long cell(int op) {
    int receive = inCell[op];
    return receive < 0 ? 0 : channels[receive].address((int) lengths[receive]);
  }

  /** Peers without room for a message, or else those whose messages are awaited, by bit. */
  long peersWithoutCell() {
    long peers = 0;
    boolean sends = next < kinds.length && kinds[next] == Kind.SEND;
    for (int op = next; op < kinds.length; op++) {
      if (kinds[op].isMessage() && (kinds[op] == Kind.SEND) == sends && !hasCell(op)) {
        peers |= 1L << peerOf[op];
      }
    }
    return peers;
  }

  /** What a receive from a peer must bring. */
  long lengthFrom(int peer) {
    return IntStream.of(receives)
        .filter(op -> peerOf[op] == peer)
        .mapToLong(op -> lengths[op])
        .findFirst()
        .orElse(0);
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
      executor.give(this);
    }
  }

  @Override
  List<Integer> missingPeers() {
    return CellBoard.ranks(missing);
  }

  @Override
  int step() {
    return (int) IntStream.range(0, next).filter(op -> kinds[op].isMessage()).count();
  }

  @Override
  List<Integer> missedPeers() {
    return missingPeers();
  }
}
