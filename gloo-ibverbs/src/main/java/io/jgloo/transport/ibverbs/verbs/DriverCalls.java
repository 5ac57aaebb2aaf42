package io.jgloo.transport.ibverbs.verbs;

/** The calls of every message, which go to the device's driver through a table of pointers. */
interface DriverCalls {

  /** 0 or errno. */
  int postSend(long pair, long first, long refused);

  /** 0 or errno. */
  int postReceive(long pair, long first, long refused);

  /** Completions taken, or a negative number. */
  int poll(long queue, int most, long completions);

  /** 0 or errno. */
  int requestEvent(long queue);
}
