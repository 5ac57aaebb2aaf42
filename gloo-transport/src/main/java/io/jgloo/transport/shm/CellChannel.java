package io.jgloo.transport.shm;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.capability.Cells;

/**
 * One rank's end of the cells of a pair: 16 in each direction, used in turn.
 *
 * <p>Message n, counted from 1, has cell (n - 1) mod 16 and, if it is too long for that, page (n -
 * 1) mod 4. Its stamp is n and is written last. A reader tells the writer how many messages it has
 * read in its own next message, or, if it has none to write, in a word of its own after every
 * second one; the writer uses a cell or page again when the message before in it has been read. The
 * layout of one direction:
 *
 * <pre>
 *      0  messages read, written by the reader
 *    128  1 if the writer uses cells with all ranks, 2 if not, 0 if that is unknown
 *    256  16 x (number of a call + 1, two words): calls that did not use cells
 *    768  16 x (stamp, length, high, low, messages read of the other direction, 88 bytes)
 *   4096  4 x page of 8 KiB, for messages that are longer
 * </pre>
 *
 * <p>Every word has one writer. A writer that is killed leaves a stamp that is not written.
 *
 * <p><i>Threads</i>: one at a time. <i>Fails</i>: as {@link MemoryChannel}.
 */
public final class CellChannel implements Cells.Channel {

  private static final int CELLS = 16;
  private static final int PAGES = 4;

  /** Bytes of both directions. */
  static final long BYTES = 2 * (4096 + (long) PAGES * Cells.MAX_BYTES);

  private static final int ANNOUNCED = 128;
  private static final int LOG = 256;
  private static final int LOG_ENTRIES = 16;
  private static final int LOG_ENTRY_BYTES = 32;
  private static final int CELL = 768;
  private static final int CELL_BYTES = 128;
  private static final int LENGTH = 8;
  private static final int HIGH = 16;
  private static final int LOW = 24;
  private static final int READ = 32;
  private static final int INLINE = 40;
  private static final int INLINE_BYTES = CELL_BYTES - INLINE;
  private static final int FIRST_PAGE = 4096;
  private static final long YES = 1;
  private static final long NO = 2;

  private final SharedMemory memory;
  private final long peerParked; // offset of its word, see Parking
  private final int cells;
  private final int pages;
  private final long out;
  private final long in;
  private long written; // messages of this rank
  private long left; // of these, read by the peer as far as is known
  private long read; // messages of the peer
  private long told; // of these, what the peer was told
  private boolean wantsRoom;
  private long loggedHigh;
  private long loggedLow;
  private String peer = "the peer";

  /**
   * @param at offset of the cells
   * @param first whether this is the side that has made the segment
   */
  CellChannel(SharedMemory memory, long peerParked, long at, boolean first) {
    this(memory, peerParked, at, first, CELLS, PAGES);
  }

  /** With fewer of both, for a test that runs through all states. */
  CellChannel(SharedMemory memory, long peerParked, long at, boolean first, int cells, int pages) {
    this.cells = cells;
    this.pages = pages;
    this.memory = memory;
    this.peerParked = peerParked;
    out = first ? at : at + BYTES / 2;
    in = first ? at + BYTES / 2 : at;
  }

  /** Says how failures name the peer: by a word that stands before "sent". */
  public void namePeer(String name) {
    peer = name;
  }

  private ProtocolException impossible(String what) {
    return new ProtocolException(peer + " sent " + what);
  }

  private long cell(long messages) {
    return CELL + CELL_BYTES * (messages & (cells - 1));
  }

  private long bytes(long messages, int length) {
    return length <= INLINE_BYTES
        ? cell(messages) + INLINE
        : FIRST_PAGE + Cells.MAX_BYTES * (messages & (pages - 1));
  }

  @Override
  public boolean hasRoom(int length) {
    int places = length <= INLINE_BYTES ? cells : pages;
    if (written - left >= places) {
      peerHasRead(memory.getAcquire(out)); // pairs with free: what is in the cell has been read
    }
    wantsRoom = written - left >= places;
    return !wantsRoom;
  }

  /** Whether the last question for room was answered with no. */
  boolean wantsRoom() {
    return wantsRoom;
  }

  private void peerHasRead(long found) {
    if (found > written || found < 0) {
      throw impossible(
          found + " as the number of cells read, of which " + written + " have been written");
    }
    left = Math.max(left, found);
  }

  @Override
  public long place(int length) {
    return memory.address(out + bytes(written, length));
  }

  @Override
  public void write(long source, int length) {
    memory.write(source, out + bytes(written, length), length);
  }

  @Override
  public void publish(long high, long low, int length) {
    long cell = out + cell(written);
    memory.putRelease(cell + LENGTH, length);
    memory.putRelease(cell + HIGH, high);
    memory.putRelease(cell + LOW, low);
    memory.putRelease(cell + READ, read);
    told = read;
    memory.putRelease(cell, ++written); // pairs with hasCell
  }

  @Override
  public boolean hasCell() {
    long found = memory.getAcquire(in + cell(read));
    if (found == read + 1) {
      return true;
    }
    if (found != Math.max(0, read + 1 - cells)) {
      throw impossible(
          ("the stamp " + found + " of a cell, which must be " + Math.max(0, read + 1 - cells))
              + (" or " + (read + 1)));
    }
    return false;
  }

  @Override
  public long high() {
    return memory.getAcquire(in + cell(read) + HIGH);
  }

  @Override
  public long low() {
    return memory.getAcquire(in + cell(read) + LOW);
  }

  @Override
  public int length() {
    long length = memory.getAcquire(in + cell(read) + LENGTH);
    if (length < 0 || length > Cells.MAX_BYTES) {
      throw impossible("a cell of " + length + " bytes");
    }
    return (int) length;
  }

  @Override
  public long address(int length) {
    return memory.address(in + bytes(read, length));
  }

  @Override
  public boolean free() {
    peerHasRead(memory.getAcquire(in + cell(read) + READ));
    read++;
    if (read - told < pages / 2) {
      return false;
    }
    told = read;
    memory.putRelease(in, read); // pairs with hasRoom
    return true;
  }

  /** Messages of this rank so far; from another thread an outdated number. */
  public long written() {
    return written;
  }

  /** Whether the peer is blocked, or may be; for what was published or given back. */
  public boolean mayBlock() {
    memory.fullFence(); // what was published is seen before the peer's word is looked at
    return memory.getAcquire(peerParked) != Parking.RUNNING;
  }

  /** Tells the peer whether this rank uses cells with all ranks. */
  public void announce(boolean use) {
    memory.putRelease(out + ANNOUNCED, use ? YES : NO);
  }

  /** What the peer has announced: 1, -1, or 0 if it has not. */
  public int announced() {
    long found = memory.getAcquire(in + ANNOUNCED);
    return found == YES ? 1 : found == NO ? -1 : 0;
  }

  private static long entry(long sequence) {
    return LOG + LOG_ENTRY_BYTES * (sequence & (LOG_ENTRIES - 1));
  }

  @Override
  public void log(long sequence, long high, long low) {
    long entry = out + entry(sequence);
    memory.putRelease(entry, 0);
    memory.putRelease(entry + 8, high);
    memory.putRelease(entry + 16, low);
    memory.putRelease(entry, sequence + 1);
  }

  @Override
  public boolean hasLoggedOther(long sequence, long high, long low) {
    long entry = in + entry(sequence);
    if (memory.getAcquire(entry) != sequence + 1) {
      return false;
    }
    loggedHigh = memory.getAcquire(entry + 8);
    loggedLow = memory.getAcquire(entry + 16);
    boolean other = loggedHigh != high || loggedLow != low;
    return other && memory.getAcquire(entry) == sequence + 1;
  }

  @Override
  public long loggedHigh() {
    return loggedHigh;
  }

  @Override
  public long loggedLow() {
    return loggedLow;
  }
}
