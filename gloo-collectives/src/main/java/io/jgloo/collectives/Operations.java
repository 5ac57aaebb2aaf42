package io.jgloo.collectives;

import io.jgloo.transport.Request;
import java.util.Arrays;
import org.jspecify.annotations.NullUnmarked;

/** The operations of one program as parallel arrays, in program order. */
@NullUnmarked // slot, remoteOffset and note
final class Operations {
  Schedule.Kind[] kind = new Schedule.Kind[16];
  Order[] order = new Order[16];
  Space[] space = new Space[16];
  Space[] sourceSpace = new Space[16];
  int[] peer = new int[16];
  int[] issueNext = new int[16];
  boolean[] issueWaits = new boolean[16];
  long[] offset = new long[16];
  long[] length = new long[16];
  long[] sourceOffset = new long[16];
  int[] slot; // null while all messages are plain, as are the next two
  long[] remoteOffset;
  boolean[] note;
  private int count;

  int count() {
    return count;
  }

  /** Appends an operation and returns its index. */
  int add(Schedule.Kind what, int who, Range target, Range source, Order operands) {
    if (count == kind.length) {
      resize(count * 2);
    }
    kind[count] = what;
    order[count] = operands;
    space[count] = target.space();
    sourceSpace[count] = source.space();
    peer[count] = who;
    issueNext[count] = -1;
    offset[count] = target.offset();
    length[count] = target.length();
    sourceOffset[count] = source.offset();
    if (slot != null) {
      remoteOffset[count] = Request.UNBOUND;
    }
    return count++;
  }

  /** The last message is written to a place of the receiver's, in a slot of its own. */
  void bind(int number, long remote, boolean isNote) {
    if (slot == null) {
      slot = new int[kind.length];
      remoteOffset = new long[kind.length];
      note = new boolean[kind.length];
      Arrays.fill(remoteOffset, Request.UNBOUND);
    }
    slot[count - 1] = number;
    remoteOffset[count - 1] = remote;
    note[count - 1] = isNote;
  }

  /** Operation {@code later} is issued after {@code earlier} is. */
  void issueNext(int earlier, int later) {
    issueNext[earlier] = later;
    issueWaits[later] = true;
  }

  /** Gives back the room not used. */
  void trim() {
    resize(count);
  }

  private void resize(int room) {
    kind = Arrays.copyOf(kind, room);
    order = Arrays.copyOf(order, room);
    space = Arrays.copyOf(space, room);
    sourceSpace = Arrays.copyOf(sourceSpace, room);
    peer = Arrays.copyOf(peer, room);
    issueNext = Arrays.copyOf(issueNext, room);
    issueWaits = Arrays.copyOf(issueWaits, room);
    offset = Arrays.copyOf(offset, room);
    length = Arrays.copyOf(length, room);
    sourceOffset = Arrays.copyOf(sourceOffset, room);
    if (slot != null) {
      slot = Arrays.copyOf(slot, room);
      remoteOffset = Arrays.copyOf(remoteOffset, room);
      note = Arrays.copyOf(note, room);
    }
  }
}
