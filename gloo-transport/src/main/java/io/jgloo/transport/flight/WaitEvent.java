package io.jgloo.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** Flight Recorder event: a thread has waited for a call or a message, and moved its bytes. */
@Name("io.jgloo.Wait")
@Label("Wait")
@Description("A thread has waited for the end of a call or a message, and moved its bytes")
@Category("JGloo")
@Threshold("1 ms")
public final class WaitEvent extends Event {

  private static final EventType TYPE = EventType.getEventType(WaitEvent.class);

  @Label("Group")
  String group;

  @Label("Rank")
  int rank;

  @Label("Operation")
  String operation;

  @Label("Sequence Number")
  @Description("Number of the call in its group; -1 for a message")
  long sequence;

  private WaitEvent() {}

  /** The event of a wait that begins now; null if no recording wants it. */
  public static WaitEvent of(String group, int rank, String operation, long sequence) {
    if (!TYPE.isEnabled()) {
      return null;
    }
    WaitEvent event = new WaitEvent();
    event.group = group;
    event.rank = rank;
    event.operation = operation;
    event.sequence = sequence;
    event.begin();
    return event;
  }
}
