package io.jgloo.transport.capability;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Places for short messages among ranks that all share memory: written and read in place, without
 * requests and without matching.
 *
 * <p>Each pair has a {@link Channel}, whose cells are filled and emptied in the order of their
 * numbers, so all ranks must use them for the same calls in the same order. A message is seen as
 * soon as it is {@linkplain Channel#publish published}.
 *
 * <p><i>Threads</i>: the methods by the thread that makes progress: between {@link #take} and
 * {@link #release}, or in {@link User#advance}; {@link #user} once, by any. <i>Fails</i>: nothing
 * here waits; what cannot be in the peer's memory is a {@link ProtocolException}.
 */
public interface Cells {

  /** Longest message. */
  int MAX_BYTES = 8 << 10;

  /** What uses the cells; it is asked again and again by the thread that makes progress. */
  @FunctionalInterface
  interface User {
    /**
     * Does what can be done without waiting; called too once the mesh has ended.
     *
     * @return whether there was anything
     */
    boolean advance();

    /** The cells are gone: frees what only calls on them need. May be called more than once. */
    default void end() {}

    /** Ranks whose cells are awaited in calls of some slots, by bit; asked by any thread. */
    default long awaited(LongPredicate slots) {
      return 0;
    }
  }

  /** The cells of one pair, in both directions. */
  interface Channel {

    /** Whether the cell of the next message is free, for so many bytes. */
    boolean hasRoom(int length);

    /** Where the bytes of the next message go, before it is published. */
    long place(int length);

    /** Copies the bytes of the next message to where they go. */
    void write(long source, int length);

    /** Lets the peer see the next message; the two words are of the caller's own. */
    void publish(long high, long low, int length);

    /** Whether the next message from the peer is here. */
    boolean hasCell();

    /** First word of that message. */
    long high();

    /** Second word of that message. */
    long low();

    /** Bytes of that message. */
    int length();

    /**
     * Where its bytes are; not to be written.
     *
     * @param length its bytes as they were found before: they may be changed by a corrupt peer
     */
    long address(int length);

    /**
     * Gives the cell of that message back.
     *
     * @return whether the peer may wait for it, so that it must be woken
     */
    boolean free();

    /** Notes a call that does not use cells, for a peer that waits for a cell. */
    void log(long sequence, long high, long low);

    /** Whether the peer has noted a call of this number and other words. */
    boolean hasLoggedOther(long sequence, long high, long low);

    /** First word of the call found by {@link #hasLoggedOther}. */
    long loggedHigh();

    /** Second word of that call. */
    long loggedLow();
  }

  /** What to ask; there is one. */
  void user(User user);

  /**
   * Whether all ranks can use cells: 1 if they do, -1 if one cannot, 0 as long as that is unknown,
   * which is until all ranks are connected to all. The same at all ranks in the end.
   */
  int agreement();

  /** Ranks, by bit, whose part of the {@link #agreement} is unknown yet. */
  long unannounced();

  /** Makes the caller the thread that makes progress, if there is none and the mesh is open. */
  boolean take();

  /** Ends what {@link #take} began. */
  void release();

  /** The cells of the pair with a peer. */
  Channel channel(int peer);

  /** Wakes the peer if it is blocked; after messages were published or cells given back. */
  void wake(int peer);

  /**
   * Fails the mesh if the peer has left without a message in its next cell.
   *
   * @param slot of this rank's call, which is compared with the last one of the peer
   */
  void checkPresent(int peer, long slot, long high, long low);

  /** Whether the memory is still there: not once the mesh has given its resources back. */
  boolean isOpen();

  /** Why the mesh has ended, or null if it has not. */
  @Nullable JGlooException ending();
}
