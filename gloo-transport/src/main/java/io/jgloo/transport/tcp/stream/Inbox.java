package io.jgloo.transport.tcp.stream;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.engine.Matching;
import io.jgloo.transport.engine.UnexpectedMessage;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.shm.MemoryChannel;
import io.jgloo.transport.tcp.socket.Link;
import java.io.IOException;
import java.util.function.LongPredicate;

/**
 * The receiving half of a pair: cuts the stream into frames and brings payloads to their receives.
 *
 * <p>Bytes are read greedily into one scratch shared by the mesh's pairs, so it stays in cache, and
 * reduced or copied from there at once; a large payload that is only stored is read straight into
 * the user's memory. What remains of a read, less than a header or an element, is carried over.
 *
 * <p>In one file because a frame may arrive in any pieces: each read goes on where the last one
 * ended.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the carry.
 */
public final class Inbox {

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

  private final Stream stream;
  private final int headerBytes;
  private long carry = Memory.allocate(CARRY_BYTES, Memory.CACHE_LINE);
  private int carryBytes = CARRY_BYTES;
  private int carried;
  private boolean ended;
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

  Inbox(Stream stream) {
    this.stream = stream;
    headerBytes = stream.rules().headerBytes();
  }

  /** Whether reading waits for the receive of a bound message. */
  public boolean isStalled() {
    return stalled;
  }

  /** The receive whose payload is under way, or null. */
  EngineRequest target() {
    return target;
  }

  /**
   * One more check whether the peer lives.
   *
   * @return checks since something was read; what has arrived and was not read yet counts as read
   */
  public int silence() {
    silentChecks = heard || stream.link().readable ? 0 : silentChecks + 1;
    heard = false;
    return silentChecks;
  }

  /** Something has arrived, on any of the pair's connections. */
  void heard() {
    heard = true;
  }

  /** Whether a receive on one of these slots is not done. */
  boolean awaits(LongPredicate slots) {
    return (target != null && slots.test(target.slot())) || matching().awaits(slots);
  }

  /**
   * Reads and delivers until the socket is empty.
   *
   * <p>A long unexpected message is not read to its end at once: its receive is usually posted as
   * soon as the waiting thread has taken the messages before it. Then the rest goes straight into
   * place, else the next round reads on. It also reads on after {@value #TURN_FRAMES} frames.
   */
  void receive() throws IOException {
    Link link = stream.link();
    frames = 0;
    if (paused && stream.mesh().mayReduce()) {
      paused = false;
      parseCarried();
    }
    while (link.readable && stream.link() == link && !ended && !stalled && !paused) {
      MemoryChannel memory = stream.memory();
      if (memory != null && carried == 0 && memory.hasBytes()) {
        readInPlace(link, memory);
      } else if (carried == 0 && storesLarge()) {
        readIntoPlace(link);
      } else {
        readIntoScratch(link);
      }
      boolean ends = frames >= TURN_FRAMES;
      if (ends || (unexpected != null && total - received >= DIRECT_BYTES)) {
        if (ends) {
          stream.mesh().makeTurnLong();
        }
        link.lookAgain();
        return;
      }
    }
    if (paused && stream.link() == link && !ended) {
      stream.mesh().source().serveAgain(stream); // what is left may all be carried
    }
  }

  /** A receive was posted: a payload that had to wait may have its place now. */
  void resume() {
    if (!stalled || ended) {
      return;
    }
    stalled = false;
    parseCarried();
    Link link = stream.link();
    if (paused) {
      stream.mesh().source().serveAgain(stream);
    } else if (link != null && !ended && !stalled) {
      link.lookAgain();
    }
  }

  /** Goes on where parsing had stopped. */
  private void parseCarried() {
    Link link = stream.link();
    long scratch = stream.mesh().scratch();
    int count = carried;
    Memory.copy(carry, scratch, count);
    carried = 0;
    int used = parse(scratch, count);
    if (stream.link() == link && !ended) {
      carryOver(scratch + used, count - used);
    }
  }

  private boolean storesLarge() {
    return target != null && target.reduction() == null && total - received >= DIRECT_BYTES;
  }

  private void readIntoPlace(Link link) throws IOException {
    int wanted = (int) Math.min(total - received, Link.MAX_CALL_BYTES);
    int count = link.read(target.address() + received, wanted);
    if (took(link, count, wanted)) {
      advance(count);
    }
  }

  /** Takes bytes where they are in the peer's memory: they are copied or reduced once. */
  private void readInPlace(Link link, MemoryChannel memory) {
    int there = Math.min(memory.contiguous(), Math.min(greed(), PIECE_BYTES));
    long at = memory.address();
    stream.mesh().traffic().readShared(there);
    heard = true;
    int used = parse(at, there);
    if (stream.link() == link && !ended) {
      if (!paused) {
        carryOver(at + used, there - used);
        used = there;
      }
      memory.skip(used);
    }
  }

  private void readIntoScratch(Link link) throws IOException {
    long scratch = stream.mesh().scratch();
    int offset = carried;
    if (offset > 0) {
      Memory.copy(carry, scratch, offset);
    }
    int wanted = stream.canReadInPlace() ? missing() : greed() - offset;
    int count = link.read(scratch + offset, wanted);
    if (took(link, count, wanted)) {
      carried = 0;
      int end = offset + count;
      int used = parse(scratch, end);
      if (stream.link() == link && !ended) {
        carryOver(scratch + used, end - used);
      }
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
    boolean asked = matching().isAsked() || stream.mesh().hasAnyReceives();
    if (total > 0) {
      return asked
          ? StreamMesh.SCRATCH_BYTES
          : (int) Math.min(StreamMesh.SCRATCH_BYTES, total - received);
    }
    if (matching().expectsLarge(DIRECT_BYTES)) {
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

  private boolean took(Link link, int count, int wanted) throws IOException {
    stream.read(count);
    link.found(count, wanted);
    heard |= count > 0;
    if (count < 0) {
      stream.endOfStream(total > 0 || carried > 0);
    }
    return count > 0;
  }

  private int parse(long at, int end) {
    int used = 0;
    while (used < end && stream.link() != null && !ended) {
      if (total > 0) {
        int count = payload(at + used, end - used);
        if (count == 0) {
          break; // less than an element, or paused
        }
        used += count;
      } else if (end - used >= headerBytes) {
        if (!stream.rules().admits(at + used)) {
          stalled = true;
          break;
        }
        frames++;
        stream.rules().header(stable(at + used));
        used += headerBytes;
      } else {
        break;
      }
    }
    return used;
  }

  /** A header that the peer cannot change any more while it is looked at. */
  private long stable(long header) {
    if (!stream.canReadInPlace()) {
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
      paused = target.reduction() != null && !stream.mesh().mayReduce();
      count = paused ? 0 : stream.mesh().store(target, received, at, count);
    }
    advance(count);
    return count;
  }

  /** Part of the payload has been taken. */
  private void advance(int count) {
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

  /** The payload that follows is a receive's, or the first part of it. */
  void beginPart(EngineRequest request, long length) {
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
      stored +=
          stream.mesh().store(request, stored, unexpected.memory() + stored, count);
    }
    if (received > stored) {
      carryOver(unexpected.memory() + stored, (int) (received - stored));
    }
    UnexpectedMessage claimed = unexpected;
    matching().remove(claimed); // not before: if a reduction throws, failAll finds the receive here
    unexpected = null;
    target = request;
    received = stored;
    stream.mesh().unexpected().giveBack(claimed);
    stream.rules().delivered(length);
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
    target = null;
    unexpected = null;
    notice = null;
    total = 0;
    received = 0;
    if (request != null) {
      request.completePart(stream.pair().peer());
    } else if (arrived != null) {
      arrived.complete();
    } else {
      stream.noticed(complete);
    }
  }

  /** Fails every receive; the user's memory is not touched any more. */
  void failAll(JGlooException cause) {
    if (target != null) {
      target.failOrWait(cause);
    }
    target = null;
    unexpected = null;
    notice = null;
    total = 0;
    ended = true;
  }

  private Matching matching() {
    return stream.matching();
  }

  void close() {
    Memory.free(carry);
  }
}
