package io.jgloo.transport.ibverbs.verbs;

import java.util.List;

/**
 * The calls of libibverbs that this transport makes, and the few of the C library that go with
 * them.
 *
 * <p>Objects are handles: whatever {@code long} the implementation likes but 0, such as the address
 * of the C object. Memory is given by address. What is called seldom throws a {@link
 * VerbsException} with the errno; what is called for every message returns it and allocates
 * nothing. Work requests and completions lie in native memory in the layout of the C structures
 * ({@link SendWork}, {@link ReceiveWork}, {@link Completion}), so that many go with one call and
 * none is translated.
 *
 * <p><i>Threads</i>: any, as libibverbs allows it; but each object is destroyed by one thread when
 * no other uses it. <i>Owns</i>: what it made, until it is destroyed. Destroying never throws for
 * what lies outside this process: it logs, as the caller could not handle it.
 */
public interface Verbs {

  // The device.

  /** Names of the RDMA devices of this machine, such as {@code mlx5_0}; empty if there is none. */
  List<String> devices() throws VerbsException;

  /** Opens a device: a context. */
  long open(String device) throws VerbsException;

  void close(long context);

  DeviceLimits queryDevice(long context) throws VerbsException;

  /**
   * @param port from 1 on
   */
  PortState queryPort(long context, int port) throws VerbsException;

  /** An entry of a port's GID table; all zeroes if the entry is not in use. */
  Gid queryGid(long context, int port, int index) throws VerbsException;

  /** The next asynchronous event, acknowledged already, or null if there is none; never blocks. */
  AsyncEvent nextAsyncEvent(long context) throws VerbsException;

  // Memory.

  long allocateDomain(long context) throws VerbsException;

  void deallocateDomain(long domain);

  /**
   * Pins memory and makes it known to the device.
   *
   * @param access of {@link MemoryRegion}'s flags
   * @throws VerbsException ENOMEM or EAGAIN if the limit of locked memory does not allow it
   */
  MemoryRegion register(long domain, long address, long length, int access) throws VerbsException;

  /** When it returns, the device no longer reads or writes the region. */
  void deregister(MemoryRegion region);

  /** Soft limit of locked memory of this process, or {@link Long#MAX_VALUE} if there is none. */
  long lockedMemoryLimitBytes();

  // Completions.

  /** A completion channel, with what {@link #wakeup} needs beside it. */
  long createChannel(long context) throws VerbsException;

  void destroyChannel(long channel);

  /**
   * Blocks until the channel has an event, {@link #wakeup} is called (or was, since the last time
   * this returned), or the time is over. Takes nothing from the channel.
   *
   * @return 1 if there is an event, 0 if there is none, or -errno
   */
  int awaitEvent(long channel, long timeoutNanos);

  /** Lets {@link #awaitEvent} in another thread, or the next one, return soon. */
  void wakeup(long channel);

  /**
   * Takes an event from a channel if there is one; never blocks.
   *
   * @return 1 if an event was taken, which must be acknowledged; 0 if there is none; or -errno
   */
  int takeEvent(long channel);

  /**
   * @param entries completions it can hold; more is an overrun, which kills the queue
   */
  long createQueue(long context, int entries, long channel) throws VerbsException;

  /** All events taken for the queue have been acknowledged, all its queue pairs destroyed. */
  void destroyQueue(long queue);

  /** Acknowledges this many events of the queue; slow, so best called for many at once. */
  void acknowledgeEvents(long queue, int count);

  /** Asks for one event at the next completion; returns 0 or errno. */
  int requestEvent(long queue);

  /**
   * Takes completions.
   *
   * @param completions address of room for {@code most} entries in the layout of {@link Completion}
   * @return how many were taken, or -errno
   */
  int poll(long queue, int most, long completions);

  // Queue pairs: reliable connections.

  QueuePair createPair(long domain, QueuePairOptions options) throws VerbsException;

  /**
   * @param access of {@link MemoryRegion}'s flags: what the peer may do
   */
  void toInitialized(QueuePair pair, int port, int access) throws VerbsException;

  /** From initialized to ready to receive. */
  void toReadyToReceive(QueuePair pair, PairRoute route) throws VerbsException;

  /** From ready to receive to ready to send. */
  void toReadyToSend(QueuePair pair, PairTimers timers) throws VerbsException;

  /** From any state to error: what is posted is flushed, what comes in is dropped. */
  void toError(QueuePair pair) throws VerbsException;

  /** When it returns, the device no longer touches memory for this pair. */
  void destroyPair(QueuePair pair);

  /**
   * Posts a chain of work requests.
   *
   * @param first address of the first, in the layout of {@link SendWork}, linked by its next
   * @param refused address of 8 bytes, where the address of the first request that was not posted
   *     is put when the result is not 0
   * @return 0 or errno
   */
  int postSend(QueuePair pair, long first, long refused);

  /** As {@link #postSend}, in the layout of {@link ReceiveWork}. */
  int postReceive(QueuePair pair, long first, long refused);

  // For people.

  /** What a completion's status means, in the library's words. */
  String statusText(int status);

  /** What an asynchronous event means, in the library's words. */
  String eventText(int type);
}
