package io.jgloo.rpc;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.NullUnmarked;

/** The events that a flight recording shows. */
@NullUnmarked // an event is filled in before it is committed
final class RRefEvents {

  private RRefEvents() {}

  /** The last handle of a value is gone. */
  @Name("io.jgloo.rpc.RRefDropped")
  @Label("Remote Reference Dropped")
  @Category({"JGloo", "RRef"})
  @StackTrace(false)
  static final class Dropped extends Event {
    @Label("Reference")
    String reference;
  }

  /** A message broke a rule and changed nothing. */
  @Name("io.jgloo.rpc.RRefRejected")
  @Label("Remote Reference Message Rejected")
  @Category({"JGloo", "RRef"})
  @StackTrace(false)
  static final class Rejected extends Event {
    @Label("From")
    String from;

    @Label("Reason")
    String reason;
  }

  /** The collector has found a handle that was not closed. */
  @Name("io.jgloo.rpc.RRefCollected")
  @Label("Remote Reference Collected")
  @Category({"JGloo", "RRef"})
  @StackTrace(false)
  static final class Collected extends Event {
    @Label("Handle")
    String handle;

    @Label("Origin")
    @Description("Where it was made, if creation stacks are recorded")
    String origin;
  }

  /** The JVM is asked to collect, because many handles are open. */
  @Name("io.jgloo.rpc.RRefGcHint")
  @Label("Remote Reference GC Hint")
  @Category({"JGloo", "RRef"})
  @StackTrace(false)
  static final class GcHint extends Event {
    @Label("Open Handles")
    int handles;
  }

  /** A message of the protocol is sent, or a call with references has arrived. */
  @Name("io.jgloo.rpc.RRefMessage")
  @Label("Remote Reference Message")
  @Category({"JGloo", "RRef"})
  @StackTrace(false)
  @Enabled(false)
  static final class Traced extends Event {
    @Label("From")
    String from;

    @Label("To")
    String to;

    @Label("Message")
    String message;

    @Label("Fork")
    String fork;
  }
}
