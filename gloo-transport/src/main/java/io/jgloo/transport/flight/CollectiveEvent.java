package io.jgloo.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** Flight Recorder event: a collective call of a rank, from its start to its end. */
@Name("io.jgloo.Collective")
@Label("Collective")
@Description("A collective call of a rank, from its start to its end")
@Category("JGloo")
@StackTrace(false)
@Threshold("1 ms")
public final class CollectiveEvent extends Event {

  private static final EventType TYPE = EventType.getEventType(CollectiveEvent.class);

  @Label("Group")
  String group;

  @Label("Rank")
  int rank;

  @Label("Operation")
  String operation;

  @Label("Algorithm")
  String algorithm;

  @Label("Bytes")
  @Description("Bytes of the longest vector of this rank")
  @DataAmount
  long bytes;

  @Label("Sequence Number")
  @Description("Number of the call in its group, the same at all ranks")
  long sequence;

  @Label("Failed")
  boolean failed;

  private CollectiveEvent() {}

  /** The event of a call that begins now; null if no recording wants it. */
  public static CollectiveEvent of(String group, int rank, long sequence) {
    if (!TYPE.isEnabled()) {
      return null;
    }
    CollectiveEvent event = new CollectiveEvent();
    event.group = group;
    event.rank = rank;
    event.sequence = sequence;
    event.begin();
    return event;
  }

  /** Records the call, which ends now. */
  public void end(String operation, String algorithm, long bytes, boolean failed) {
    this.operation = operation;
    this.algorithm = algorithm;
    this.bytes = bytes;
    this.failed = failed;
    commit();
  }
}
