package io.jgloo.transport.ibverbs.verbs;

/** A completion queue of a software device; its methods are called with the monitor held. */
final class SoftQueue {

  private static final int GARBAGE = 0x7e57;

  final SoftVerbs device;
  final long handle;
  private final SoftChannel channel;
  private final int entries;
  private final long[] ids;
  private final int[] statuses;
  private final int[] opcodes;
  private final int[] lengths;
  private final int[] immediates;
  private final int[] numbers;
  private int first;
  private volatile int count;
  private boolean armed;
  private boolean overrun;
  int unacknowledged;
  int users;

  SoftQueue(SoftVerbs device, long handle, int entries, SoftChannel channel) {
    this.device = device;
    this.handle = handle;
    this.channel = channel;
    this.entries = entries;
    ids = new long[entries];
    statuses = new int[entries];
    opcodes = new int[entries];
    lengths = new int[entries];
    immediates = new int[entries];
    numbers = new int[entries];
  }

  SoftChannel channel() {
    return channel;
  }

  boolean isEmpty() {
    return count == 0;
  }

  boolean isOverrun() {
    return overrun;
  }

  void arm() {
    armed = true;
  }

  void add(long id, WorkStatus status, int opcode, int length, int immediate, int number) {
    if (count == entries) {
      if (!overrun) {
        overrun = true;
        device.fabric().violated("a completion queue of " + entries + " is overrun");
        device.raise(new AsyncEvent(AsyncEvent.QUEUE_ERROR, handle));
      }
      return;
    }
    int at = (first + count) % entries;
    boolean good = status == WorkStatus.SUCCESS;
    ids[at] = id;
    statuses[at] = status.code();
    opcodes[at] = good ? opcode : GARBAGE; // not valid then, says the specification
    lengths[at] = good ? length : GARBAGE;
    immediates[at] = good ? immediate : GARBAGE;
    numbers[at] = number;
    int more = count + 1;
    count = more; // others only read it
    if (armed) {
      armed = false;
      channel.add(this);
    }
  }

  int take(int most, long completions) {
    int taken = Math.min(most, count);
    for (int i = 0; i < taken; i++) {
      int at = (first + i) % entries;
      Completion.write(
          completions + (long) i * Completion.BYTES,
          ids[at],
          statuses[at],
          opcodes[at],
          statuses[at] == 0 ? 0 : 0x88,
          lengths[at],
          immediates[at],
          numbers[at]);
    }
    first = (first + taken) % entries;
    int left = count - taken;
    count = left;
    return taken;
  }
}
