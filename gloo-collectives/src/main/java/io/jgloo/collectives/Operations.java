package io.jgloo.collectives;

import io.jgloo.transport.Request;
import java.util.Arrays;
import org.jspecify.annotations.NullUnmarked;

/** The operations of one program as parallel arrays, in program order. */
@NullUnmarked // issueNext, issueWaits, slot, remoteOffset and note
final class Operations {
  byte[] what = new byte[16];
  int[] peer = new int[16];
  long[] offset = new long[16];
  long[] length = new long[16];
  long[] sourceOffset = new long[16];
  int[] issueNext; // null while each message is the only one with its peer, as is the next
  boolean[] issueWaits;
  int[] slot; // null while all messages are plain, as are the next two
  long[] remoteOffset;
  boolean[] note;
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
    if (slot != null) {
      remoteOffset[count] = Request.UNBOUND;
    }
    return count++;
  }

  /** The last message is written to a place of the receiver's, in a slot of its own. */
  void bind(int number, long remote, boolean isNote) {
    if (slot == null) {
      slot = new int[what.length];
      remoteOffset = new long[what.length];
      note = new boolean[what.length];
      Arrays.fill(remoteOffset, Request.UNBOUND);
    }
    slot[count - 1] = number;
    remoteOffset[count - 1] = remote;
    note[count - 1] = isNote;
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
    if (slot != null) {
      slot = Arrays.copyOf(slot, room);
      remoteOffset = Arrays.copyOf(remoteOffset, room);
      note = Arrays.copyOf(note, room);
    }
  }
}
