package io.jgloo.collectives;

import io.jgloo.collectives.Program.Order;
import java.util.Arrays;
import org.jspecify.annotations.NullUnmarked;

/** The operations of one program as parallel arrays, in program order. */
@NullUnmarked // issueNext and issueWaits
final class Operations {
  byte[] what = new byte[16];
  int[] peer = new int[16];
  long[] offset = new long[16];
  long[] length = new long[16];
  long[] sourceOffset = new long[16];
  int[] issueNext; // null while each message is the only one with its peer, as is the next
  boolean[] issueWaits;
  private int count;

  int count() {
    return count;
  }

  /** Appends an operation and returns its index. */
  int add(Schedule.Kind kind, int who, Range target, Range source, Order order) {
    if (count == what.length) {
      resize(count * 2);
    }
    what[count] = Schedule.pack(kind, target.space(), source.space(), order);
    peer[count] = who;
    offset[count] = target.offset();
    length[count] = target.length();
    sourceOffset[count] = source.offset();
    if (issueNext != null) {
      issueNext[count] = -1;
    }
    return count++;
  }

  /** Operation {@code later} is issued after {@code earlier} is. */
  void issueNext(int earlier, int later) {
    if (issueNext == null) {
      issueNext = new int[what.length];
      issueWaits = new boolean[what.length];
      Arrays.fill(issueNext, -1);
    }
    issueNext[earlier] = later;
    issueWaits[later] = true;
  }

  /** Gives back the room not used, but for numbers, which a schedule keeps in columns. */
  void trim() {
    resizeOthers(count);
  }

  private void resize(int room) {
    peer = Arrays.copyOf(peer, room);
    offset = Arrays.copyOf(offset, room);
    length = Arrays.copyOf(length, room);
    sourceOffset = Arrays.copyOf(sourceOffset, room);
    resizeOthers(room);
  }

  private void resizeOthers(int room) {
    what = Arrays.copyOf(what, room);
    if (issueNext != null) {
      issueNext = Arrays.copyOf(issueNext, room);
      issueWaits = Arrays.copyOf(issueWaits, room);
    }
  }
}
