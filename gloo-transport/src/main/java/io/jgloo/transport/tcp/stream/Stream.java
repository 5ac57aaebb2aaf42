package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.ByteMover;
import io.jgloo.transport.engine.EnginePair;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.engine.Matching;
import io.jgloo.transport.engine.Outgoing;
import io.jgloo.transport.engine.Route;
import io.jgloo.transport.engine.SendQueue;
import io.jgloo.transport.engine.UnexpectedMessage;
import io.jgloo.transport.library.JniCalls;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.shm.Borrowing;
import io.jgloo.transport.shm.Lending;
import io.jgloo.transport.shm.MemoryChannel;
import io.jgloo.transport.shm.MemoryLink;
import io.jgloo.transport.shm.SharingPair;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.wire.Frame;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The byte stream between this rank and one peer: frames on one connection, with parts of large
 * messages on further ones if so configured.
 *
 * <p><i>Sending</i>: frames go in order, small ones staged into one write, large ones gathered from
 * the user's memory.
 *
 * <p><i>Receiving</i>: bytes are read greedily into one scratch shared by the mesh's pairs, so it
 * stays in cache, and reduced or copied from there at once; a large payload that is only stored is
 * read straight into the user's memory. A frame may arrive in any pieces: each read goes on where
 * the last one ended. What remains of a read, less than a header or an element, is carried over.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: its links, the staging memory and the
 * carry.
 */
public final class Stream implements ByteMover, SharingPair {

  /** Payloads up to this are copied behind their header: one write, and the memory is free. */
  private static final int COPY_BYTES = 8 << 10;

  private static final int STAGE_BYTES = 16 << 10;
  private static final int PAGE_BYTES = 4096;

  /** Where a large array's elements begin in a page, as large objects begin at a page's start. */
  private static final int ARRAY_HEADER_BYTES = 16;

  /** A payload of which at least this much has to be stored is read straight into place. */
  private static final int DIRECT_BYTES = 32 << 10;

  /** Bytes read at a time of messages without a receive: short ones, or the head of a long one. */
  private static final int UNASKED_BYTES = 8 << 10;

  /** Taken from memory at a time, so that the peer goes on writing meanwhile. */
  private static final int PIECE_BYTES = 64 << 10;

  /** Frames taken in a turn: a peer that never pauses must not keep the lock from other threads. */
  private static final int TURN_FRAMES = 4096;

  /** Room for what is less than a header, and than most elements; it grows for longer ones. */
  private static final int CARRY_BYTES = 64;

  private final StreamMesh mesh;
  private final EnginePair pair;
  private final StreamRules rules;
  private final SendQueue sends;
  private final Matching matching;
  private final int headerBytes;

  // The connection.

  private Stripes stripes; // null if the pair has one connection
  private Link link;
  private MemoryChannel memory; // null if the bytes go through sockets, as the next two
  private Lending lending;
  private Borrowing borrowing;
  private String where = "";
  private long peerWindow;
  private boolean streamEnded;
  private IOException cannotWrite;

  // What goes out.

  private Outgoing large;
  private long largeSent;
  private long stage;
  private int head;
  private int tail;
  private boolean wrote; // since the last check

  // What comes in.

  private long carry = Memory.allocate(CARRY_BYTES, Memory.CACHE_LINE);
  private int carryBytes = CARRY_BYTES;
  private int carried;
  private boolean receivesFailed; // nothing is delivered any more
  private boolean stalled;
  private int frames; // of this turn
  private boolean heard; // something has arrived since the last check
  private int silentChecks;

  /** A reduction of carried bytes was left to a later turn. */
  private boolean paused;

  // The payload under way: exactly one of target, unexpected and notice is set while it is.
  private EngineRequest target;
  private UnexpectedMessage unexpected;
  private byte[] notice;
  private long received;
  private long total;

  public Stream(StreamMesh mesh, EnginePair pair) {
    this.mesh = mesh;
    this.pair = pair;
    rules = mesh.wire().isGloo() ? new CppGlooRoute(this) : new TcpRoute(this);
    sends = rules.queue();
    matching = route().matching();
    headerBytes = rules.headerBytes();
  }

  public StreamMesh mesh() {
    return mesh;
  }

  @Override
  public EnginePair pair() {
    return pair;
  }

  @Override
  public Matching matching() {
    return matching;
  }

  public StreamRules rules() {
    return rules;
  }

  public Route route() {
    return rules.route();
  }

  // The connection.

  @Override
  public Link link() {
    return link;
  }

  /** Whether what the peer sends can be read where it has written it. */
  boolean canReadInPlace() {
    return memory != null;
  }

  @Override
  public Lending lending() {
    return lending;
  }

  /** What the peer lends to this rank; null if they share no memory. */
  Borrowing borrowing() {
    return borrowing;
  }

  /** Bytes of unexpected messages that the peer holds for this rank. */
  long peerWindow() {
    return peerWindow;
  }

  @Override
  public String where() {
    return where;
  }

  /** Whether it is, or once was, connected. */
  public boolean wasConnected() {
    return !where.isEmpty();
  }

  @Override
  public String medium() {
    if (link instanceof MemoryLink mapped) {
      return "shared memory (" + mapped.segment().kind() + ")";
    }
    return link == null ? "not connected" : "tcp";
  }

  @Override
  public boolean isConnected() {
    return link != null;
  }

  /**
   * Takes over the connections on which the handshake is complete. Nothing is left of those that
   * they replace, which may be of another kind and of another process.
   */
  public void attach(List<Link> connections, long window) {
    closeParts();
    link = connections.get(0);
    MemoryLink shared = link.canReadInPlace() ? (MemoryLink) link : null;
    memory = shared == null ? null : shared.channel();
    lending = shared == null ? null : new Lending(this, mesh.heap(), memory, sends);
    borrowing = shared == null ? null : new Borrowing(this, mesh, shared);
    stripes =
        connections.size() > 1
            ? new Stripes(this, connections.subList(1, connections.size()))
            : null;
    connections.forEach(each -> each.descriptor().owner = this);
    connections.forEach(each -> each.keepAlive(mesh.settings().keepAlive()));
    peerWindow = window;
    where = " (" + String.valueOf(link.remoteAddress()).replaceFirst("^[^/]*/", "") + ")";
  }

  /** Its connections, the first of them first; none before they are made and after their end. */
  public List<Link> links() {
    List<Link> all = new ArrayList<>(1);
    if (link != null) {
      all.add(link);
      if (stripes != null) {
        all.addAll(stripes.links());
      }
    }
    return all;
  }

  /** Detaches the connections without closing them. */
  public List<Link> detach() {
    List<Link> all = links();
    link = null;
    return all;
  }

  // Readiness.

  @Override
  public void ready() {
    if (link == null || mesh.hasEnded()) {
      return;
    }
    try {
      if (link.writable && !rules.holdsBack()) {
        flush(link);
      }
      if (link != null && link.readable) {
        receive();
      }
      if (canReadInPlace()) {
        borrowing.proceed();
        mesh.heap().releaseRetired();
      }
      if (link != null) {
        serveStripes();
      }
      if (cannotWrite != null && link != null && !pair.hasDeparted() && !mesh.hasEnded()) {
        throw cannotWrite;
      }
    } catch (Throwable e) {
      pair.failed(e);
    }
  }

  private void serveStripes() throws IOException {
    if (stripes != null) {
      stripes.flush();
      stripes.receive();
    }
    if (streamEnded && !stripesReceive()) {
      mesh.retire(this);
    }
  }

  /** Has the sockets read from which something is awaited, whatever the poller has said. */
  void lookAgain() {
    link.readable = true;
    if (stripes != null) {
      stripes.lookAgain();
    }
  }

  /** Goes on with what had to be left, though the socket may hold nothing more. */
  void serveAgain() {
    if (link != null) {
      link.readable = true;
    }
    ready();
  }

  @Override
  public void serveAgainLater() {
    mesh.source().serveAgain(this);
  }

  @Override
  public void expectMessage() {
    mesh.source().expect(this);
  }

  /** Whether a send or a receive on one of these slots is not done. */
  public boolean awaits(LongPredicate slots) {
    return (target != null && slots.test(target.slot()))
        || matching.awaits(slots)
        || (large != null && slots.test(large.slot))
        || sends.awaits(slots)
        || (canReadInPlace() && (lending.awaits(slots) || borrowing.awaits(slots)))
        || (stripes != null && stripes.awaits(slots));
  }

  /** Whether a receive, or a send that needs a grant, waits for a frame of the peer. */
  boolean awaitsPeer() {
    return matching.isAsked()
        || isReceiving()
        || stripesReceive()
        || sends.announced().first() != null;
  }

  private boolean stripesReceive() {
    return stripes != null && stripes.receives();
  }

  @Override
  public boolean isReceiving() {
    return target != null || (canReadInPlace() && borrowing.isReading());
  }

  @Override
  public boolean isSending() {
    return large != null
        || (canReadInPlace() && lending.isPending())
        || (stripes != null && stripes.sends());
  }

  /**
   * One more check whether the peer lives.
   *
   * @return checks since something was read; what has arrived and was not read yet counts as read
   */
  public int silence() {
    silentChecks = heard || link.readable ? 0 : silentChecks + 1;
    heard = false;
    return silentChecks;
  }

  /** Something has arrived, on any of the pair's connections. */
  void heard() {
    heard = true;
  }

  /** Whether nothing was written since this was last asked, and nothing waits to be written. */
  public boolean wasIdle() {
    boolean idle = !wrote && !hasUnsent();
    wrote = false;
    return idle;
  }

  @Override
  public void readInPlace(int bytes) {
    mesh.countReadInPlace(bytes);
  }

  @Override
  public void lent(long bytes) {
    mesh.countLent(bytes);
  }

  // Sending.

  @Override
  public boolean sendsArrays() {
    return !canReadInPlace() && stripes == null && link != null && link.writesArrays();
  }

  /** Queues and sends a frame without payload. */
  @Override
  public void control(int opcode, long slot, long length) {
    sends.add(opcode, slot, length);
    flush();
  }

  /** Writes until everything is written or the sockets are full, or broken. */
  @Override
  public void flush() {
    if (link != null) {
      flush(link);
    }
    if (stripes != null && link != null) {
      stripes.flush();
    }
  }

  @Override
  public boolean isWriting() {
    return large != null;
  }

  /** Whether what is queued cannot follow what is staged: a message is cut off, or too much is. */
  public boolean isCutOff() {
    return large != null || sends.waiting().first() != null;
  }

  /** Whether anything waits for room in the socket: its sends may be done. */
  public boolean hasUnsent() {
    return head != tail || isCutOff();
  }

  /**
   * Sends a last frame behind what is staged.
   *
   * @param call named in its header, or null
   * @return false if it cannot be sent on this stream, because a message is cut off in it, the
   *     socket is full, or there is no memory
   */
  boolean writeLast(int opcode, byte[] bytes, MismatchException.Side call) {
    if (large != null) {
      return false;
    }
    try {
      reserveStage();
    } catch (OutOfMemoryError e) {
      return false;
    }
    long length = bytes == null ? 0 : bytes.length;
    Outgoing frame = sends.add(opcode, call == null ? 0 : call.slot(), length);
    frame.notice = bytes;
    if (call != null) {
      frame.fingerprintHigh = call.fingerprintHigh();
      frame.fingerprintLow = call.fingerprintLow();
    }
    flush();
    return !hasUnsent();
  }

  /**
   * Readies what is queued for one write with what may come, so that what is copied has completed.
   *
   * @return false if there is no room for all of it, or it is not worth waiting with
   */
  boolean stage() {
    if (link != null) {
      stageFrames();
    }
    return !isCutOff() && tail < STAGE_BYTES / 2;
  }

  private void flush(Link first) {
    while (link == first) {
      stageFrames();
      int staged = tail - head;
      boolean cutOff = large != null && large.request == null; // by a failure
      if ((staged == 0 && large == null) || cutOff || !first.writable) {
        return;
      }
      long left = large == null ? 0 : Math.min(large.here - largeSent, mostAtOnce());
      long written;
      try {
        written = write(staged, left);
      } catch (IOException e) {
        cannotWrite(e);
        return;
      }
      if (written < Math.min(staged + left, Link.MAX_CALL_BYTES)) {
        first.writable = false;
      }
      mesh.countWritten(written, canReadInPlace());
      advanceSend(written, staged);
    }
  }

  private long mostAtOnce() {
    return large.request.array() == null ? Long.MAX_VALUE : JniCalls.MOST_ARRAY_BYTES;
  }

  private long write(int staged, long left) throws IOException {
    if (left == 0) {
      return link.write(stage + head, staged);
    }
    long from = large.request.address() + largeSent;
    Object array = large.request.array();
    if (array != null) {
      return link.write(stage + head, staged, array, from, (int) left);
    }
    if (staged == 0) {
      return link.write(from, (int) Math.min(left, Link.MAX_CALL_BYTES));
    }
    return link.write(
        stage + head, staged, from, (int) Math.min(left, Link.MAX_CALL_BYTES - staged));
  }

  private void advanceSend(long written, int staged) {
    wrote |= written > 0;
    int ofStage = (int) Math.min(written, staged);
    head += ofStage;
    if (head == tail) {
      head = 0;
      tail = 0;
    }
    if (large != null) {
      largeSent += written - ofStage;
      if (largeSent == large.here) {
        large.request.completePart(pair.peer());
        sends.recycle(large);
        large = null;
      }
    }
  }

  /** Moves waiting frames into the staging memory, as far as they fit and order lets them. */
  private void stageFrames() {
    while (large == null) {
      Outgoing frame = sends.waiting().first();
      if (frame == null) {
        return;
      }
      boolean payload = frame.length > 0 && Frame.carries(frame.opcode);
      boolean copied = payload && !isInArray(frame) && frame.length <= COPY_BYTES;
      int needed = headerBytes + (copied ? (int) frame.length : 0);
      if (needed > STAGE_BYTES - tail) {
        return;
      }
      reserveStage(); // may fail, so the frame is still where failures look for its request
      if (payload && !copied && isCopiedSlowly(frame) && stageFiller()) {
        continue;
      }
      sends.waiting().poll();
      stageHeader(frame);
      frame.here = payload ? beginSend(frame) : 0;
      if (copied) {
        stagePayload(frame);
      }
      if (payload && !copied) {
        large = frame;
        largeSent = 0;
      } else {
        finish(frame);
      }
    }
  }

  /**
   * Whether the kernel would copy this payload slowly: the string instruction that it copies with
   * takes 1.5 to 2 times the time on AMD's processors if the target begins less than a cache line
   * behind the source, but for whole pages between them. The target is where the bytes before end,
   * counted from the beginning of a page as long as the peer has taken all that was sent before.
   */
  private boolean isCopiedSlowly(Outgoing frame) {
    if (frame.request == null || !link.isCopiedByKernel()) {
      return false;
    }
    long from = frame.request.address() + (isInArray(frame) ? ARRAY_HEADER_BYTES : 0);
    long ahead = (tail - head + headerBytes - from) & (PAGE_BYTES - 1);
    return ahead > 0 && ahead < Memory.CACHE_LINE;
  }

  /** Moves what follows by a header; false if the wire has none to spare, or there is no room. */
  private boolean stageFiller() {
    int opcode = rules.filler();
    if (opcode == 0 || 2 * headerBytes > STAGE_BYTES - tail) {
      return false;
    }
    Outgoing filler = sends.make(opcode, 0, 0);
    stageHeader(filler);
    sends.recycle(filler);
    return true;
  }

  private boolean isInArray(Outgoing frame) {
    boolean inArray = frame.request != null && frame.request.array() != null;
    if (inArray && !sendsArrays()) {
      throw new IllegalStateException("an array was sent before " + this + " was connected");
    }
    return inArray;
  }

  /** Begins to send a payload; how much of it follows the header on the first connection. */
  private long beginSend(Outgoing frame) {
    if (frame.opcode == Frame.DATA && stripes != null) {
      return stripes.send(frame.request, frame.length, frame.granule);
    }
    if (frame.request != null) {
      frame.request.begin(frame.length, 1);
    }
    return frame.length;
  }

  private void reserveStage() {
    if (stage == 0) {
      stage = Memory.allocate(STAGE_BYTES, Memory.CACHE_LINE);
    }
  }

  private void stageHeader(Outgoing frame) {
    rules.write(stage + tail, frame);
    tail += headerBytes;
  }

  private void stagePayload(Outgoing frame) {
    if (frame.notice != null) {
      Memory.copy(frame.notice, 0, stage + tail, frame.notice.length);
    } else {
      Memory.copy(frame.request.address(), stage + tail, frame.length);
    }
    tail += (int) frame.length;
  }

  private void finish(Outgoing frame) {
    if (frame.opcode == Frame.SHARED) {
      lending.sent(frame);
      return;
    }
    if (frame.opcode == Frame.ANNOUNCE && frame.request != null) {
      sends.announced().add(frame);
      return;
    }
    if (frame.request != null) {
      frame.request.complete(frame.length, pair.peer());
    }
    sends.recycle(frame);
  }

  /**
   * A write has failed. Frames that the peer sent before it broke the connection are still in the
   * socket and name the cause: an abort notice or a goodbye. So they are read to the end first.
   */
  void cannotWrite(IOException cause) {
    cannotWrite = cause;
    link.breaks();
    mesh.source().lookAt(this);
  }

  /** Whether a write has failed and what is left to read has not been read. */
  boolean isBroken() {
    return cannotWrite != null;
  }

  /** Bytes staged and not written yet, for the delayed close of the link. */
  public byte[] takeStaged() {
    byte[] left = new byte[large != null ? 0 : tail - head];
    if (left.length > 0) {
      Memory.copy(stage + head, left, 0, left.length);
    }
    return left;
  }

  // Receiving.

  /**
   * Reads and delivers until the socket is empty.
   *
   * <p>A long unexpected message is not read to its end at once: its receive is usually posted as
   * soon as the waiting thread has taken the messages before it. Then the rest goes straight into
   * place, else the next round reads on. It also reads on after {@value #TURN_FRAMES} frames.
   */
  private void receive() throws IOException {
    Link first = link;
    frames = 0;
    if (paused && mesh.mayReduce()) {
      paused = false;
      parseCarried();
    }
    while (first.readable && delivers(first) && !stalled && !paused) {
      if (memory != null && carried == 0 && memory.hasBytes()) {
        readInPlace(first);
      } else if (carried == 0 && storesLarge()) {
        readIntoPlace();
      } else {
        readIntoScratch(first);
      }
      boolean ends = frames >= TURN_FRAMES;
      if (ends || (unexpected != null && total - received >= DIRECT_BYTES)) {
        if (ends) {
          mesh.makeTurnLong();
        }
        first.lookAgain();
        return;
      }
    }
    if (paused && delivers(first)) {
      serveAgainLater(); // what is left may all be carried
    }
  }

  /** Whether this is still the connection, and what it brings is delivered. */
  private boolean delivers(Link first) {
    return link == first && !receivesFailed;
  }

  /** Whether reading waits for the receive of a bound message. */
  public boolean isStalled() {
    return stalled;
  }

  /** A receive was posted: a payload that had to wait may have its place now. */
  void resume() {
    if (!stalled || receivesFailed) {
      return;
    }
    stalled = false;
    parseCarried();
    if (paused) {
      serveAgainLater();
    } else if (link != null && !receivesFailed && !stalled) {
      link.lookAgain();
    }
  }

  /** Goes on where parsing had stopped. */
  private void parseCarried() {
    long scratch = mesh.scratch();
    int count = carried;
    Memory.copy(carry, scratch, count);
    carried = 0;
    parseScratch(link, count);
  }

  private void parseScratch(Link first, int end) {
    long scratch = mesh.scratch();
    int used = parse(scratch, end);
    if (delivers(first)) {
      carryOver(scratch + used, end - used);
    }
  }

  private boolean storesLarge() {
    return target != null && target.reduction() == null && total - received >= DIRECT_BYTES;
  }

  private void readIntoPlace() throws IOException {
    int wanted = (int) Math.min(total - received, Link.MAX_CALL_BYTES);
    int count = read(target.address() + received, wanted);
    if (count > 0) {
      advanceReceive(count);
    }
  }

  /** Takes bytes where they are in the peer's memory: they are copied or reduced once. */
  private void readInPlace(Link first) {
    int there = Math.min(memory.contiguous(), Math.min(greed(), PIECE_BYTES));
    long at = memory.address();
    mesh.countRead(there, true);
    heard = true;
    int used = parse(at, there);
    if (delivers(first)) {
      if (!paused) {
        carryOver(at + used, there - used);
        used = there;
      }
      memory.skip(used);
    }
  }

  private void readIntoScratch(Link first) throws IOException {
    long scratch = mesh.scratch();
    int offset = carried;
    if (offset > 0) {
      Memory.copy(carry, scratch, offset);
    }
    int count = read(scratch + offset, canReadInPlace() ? missing() : greed() - offset);
    if (count > 0) {
      carried = 0;
      parseScratch(first, offset + count);
    }
  }

  private void carryOver(long from, int count) {
    if (count > carryBytes) {
      long more = Memory.allocate(count, Memory.CACHE_LINE);
      Memory.free(carry);
      carry = more;
      carryBytes = count;
    }
    Memory.copy(from, carry, count);
    carried = count;
  }

  /**
   * How much to read into scratch: little if what follows a header is best read into place, not
   * beyond the payload under way if no receive waits for more, else all there is.
   */
  private int greed() {
    boolean asked = matching.isAsked() || mesh.hasAnyReceives();
    if (total > 0) {
      return asked
          ? StreamMesh.SCRATCH_BYTES
          : (int) Math.min(StreamMesh.SCRATCH_BYTES, total - received);
    }
    if (matching.expectsLarge(DIRECT_BYTES)) {
      return 2 * headerBytes; // with a filler, or with first bytes of the payload
    }
    return asked ? StreamMesh.SCRATCH_BYTES : UNASKED_BYTES;
  }

  /** How much is missing of what is carried: what follows it is better taken in place. */
  private int missing() {
    if (total == 0) {
      return headerBytes - carried;
    }
    int granule = target == null ? 1 : target.granule();
    return (int) Math.min(Math.max(1, granule - carried), total - received - carried);
  }

  private int read(long at, int wanted) throws IOException {
    Link first = link;
    int count = first.read(at, wanted);
    mesh.countRead(count, canReadInPlace());
    first.found(count, wanted);
    heard |= count > 0;
    if (count < 0) {
      endOfStream(total > 0 || carried > 0);
    }
    return count;
  }

  private int parse(long at, int end) {
    int used = 0;
    while (used < end && link != null && !receivesFailed) {
      if (total > 0) {
        int count = payload(at + used, end - used);
        if (count == 0) {
          break; // less than an element, or paused
        }
        used += count;
      } else if (end - used >= headerBytes) {
        if (!rules.admits(at + used)) {
          stalled = true;
          break;
        }
        frames++;
        rules.header(stable(at + used));
        used += headerBytes;
      } else {
        break;
      }
    }
    return used;
  }

  /** A header that the peer cannot change any more while it is looked at. */
  private long stable(long header) {
    if (!canReadInPlace()) {
      return header;
    }
    Memory.copy(header, carry, headerBytes); // which holds nothing while bytes are parsed
    return carry;
  }

  private int payload(long at, int available) {
    int count = (int) Math.min(available, total - received);
    if (notice != null) {
      Memory.copy(at, notice, (int) received, count);
    } else if (unexpected != null) {
      Memory.copy(at, unexpected.memory() + received, count);
    } else {
      paused = target.reduction() != null && !mesh.mayReduce();
      count = paused ? 0 : mesh.store(target, received, at, count);
    }
    advanceReceive(count);
    return count;
  }

  private void advanceReceive(int count) {
    received += count;
    if (received == total) {
      finishPayload();
    }
  }

  /** The payload that follows is a receive's, all of it. */
  void begin(EngineRequest request, long length) {
    request.begin(length, 1);
    beginPart(request, length);
  }

  /** The payload that follows is of a granted message: other connections may bring some of it. */
  void beginGranted(EngineRequest request, long length) {
    if (stripes == null) {
      begin(request, length);
    } else {
      beginPart(request, stripes.expect(request, length));
    }
  }

  private void beginPart(EngineRequest request, long length) {
    target = request;
    if (length == 0) {
      finishPayload();
    } else {
      startPayload(length);
    }
  }

  /** The payload that follows is an unexpected message's. */
  void hold(UnexpectedMessage message) {
    if (message.length() > 0) {
      unexpected = message;
      startPayload(message.length());
    }
  }

  /** A receive takes the message that is just coming: what is missing goes straight into place. */
  void claim(EngineRequest request) {
    long length = total;
    request.begin(length, 1);
    long stored = 0;
    while (received - stored >= request.granule()) {
      int count = (int) Math.min(received - stored, Link.MAX_CALL_BYTES);
      stored += mesh.store(request, stored, unexpected.memory() + stored, count);
    }
    if (received > stored) {
      carryOver(unexpected.memory() + stored, (int) (received - stored));
    }
    UnexpectedMessage claimed = unexpected;
    matching.remove(claimed); // not before: if a reduction throws, failAll finds the receive here
    unexpected = null;
    target = request;
    received = stored;
    mesh.unexpected().giveBack(claimed);
    rules.delivered(length);
  }

  /** The payload that follows is the peer's abort notice, or its offer of an extent. */
  void beginNotice(int length) {
    notice = new byte[length];
    startPayload(length);
  }

  private void startPayload(long length) {
    total = length;
    received = 0;
  }

  private void finishPayload() {
    EngineRequest request = target;
    UnexpectedMessage arrived = unexpected;
    byte[] complete = notice;
    endPayload();
    received = 0;
    if (request != null) {
      request.completePart(pair.peer());
    } else if (arrived != null) {
      arrived.complete();
    } else if (canReadInPlace() && borrowing.awaitsOffer()) {
      borrowing.takeOffer(complete);
    } else {
      mesh.receivedAbort(complete, pair);
    }
  }

  private void endPayload() {
    target = null;
    unexpected = null;
    notice = null;
    total = 0;
  }

  // The end.

  /**
   * The stream has ended.
   *
   * @throws PeerLostException unless the peer has sent a goodbye before
   */
  private void endOfStream(boolean insideMessage) {
    streamEnded = true;
    if (pair.hasDeparted()) {
      if (!stripesReceive()) {
        mesh.retire(this);
      }
      return;
    }
    if (!insideMessage && rules.mayCloseWithoutGoodbye() && !pair.depart()) {
      mesh.retire(this);
      return;
    }
    throw ended(insideMessage);
  }

  /** The exception for a peer that has closed a connection without a goodbye. */
  PeerLostException ended(boolean insideMessage) {
    String inside = insideMessage ? " in the middle of a message" : "";
    int peer = pair.peer();
    String reason = "peer " + peer + where + " closed the connection" + inside;
    return new PeerLostException(peer, reason, null);
  }

  /**
   * {@inheritDoc} That is so if memory which both have mapped is a file with a name: a process that
   * has it open may truncate it.
   */
  @Override
  public JGlooException faultOfPeer(InternalError error) {
    boolean named = canReadInPlace() && borrowing.readsFiles();
    String what = " has truncated a file in /dev/shm that it shares with rank " + mesh.rank();
    return named ? new ProtocolException("peer " + pair.peer() + where + what, error) : null;
  }

  @Override
  public void failSends(JGlooException cause) {
    if (large != null && large.request != null) {
      large.request.fail(cause);
      large.request = null;
    }
    if (canReadInPlace()) {
      lending.failAll(cause);
    }
    if (stripes != null) {
      stripes.failSends(cause);
    }
  }

  @Override
  public void failAll(JGlooException cause) {
    if (target != null) {
      target.failOrWait(cause);
    }
    endPayload();
    receivesFailed = true;
    failSends(cause);
    if (canReadInPlace()) {
      borrowing.failAll(cause);
    }
    if (stripes != null) {
      stripes.failReceives(cause);
    }
  }

  public void close() {
    Memory.free(carry);
    freeStage();
    closeParts();
  }

  /** Nothing more is sent: gives the staging memory back. */
  public void freeStage() {
    if (stage != 0) {
      Memory.free(stage);
      stage = 0;
    }
    head = 0;
    tail = 0;
    large = null;
  }

  /** Gives back what belongs to the connections beside their descriptors. */
  private void closeParts() {
    if (canReadInPlace()) {
      lending.close();
      borrowing.close();
    }
    if (stripes != null) {
      stripes.close();
    }
  }

  @Override
  public String toString() {
    return pair.toString();
  }
}
