package io.jgloo.rpc.message;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** Flight Recorder event: a request of this agent, from its submission to its outcome. */
@Name("io.jgloo.rpc.Call")
@Label("Remote call")
@Description("A request of an agent, from its submission to its outcome")
@Category({"JGloo", "RPC"})
@StackTrace(false)
@Threshold("10 ms")
final class CallEvent extends Event {

  private static final EventType TYPE = EventType.getEventType(CallEvent.class);

  @Label("Callee")
  final String callee;

  @Label("Service")
  final int service;

  @Label("Number of the call")
  final long call;

  @Label("Outcome")
  @Nullable String outcome;

  private CallEvent(PendingCall call) {
    this.callee = call.to.toString();
    this.service = call.service;
    this.call = call.id;
  }

  /** The event of a call that begins now; null if a recording does not want it. */
  static @Nullable CallEvent begin(PendingCall call) {
    if (!TYPE.isEnabled()) {
      return null;
    }
    CallEvent event = new CallEvent(call);
    event.begin();
    return event;
  }

  /** Ends an event, if there is one. */
  static void end(@Nullable CallEvent event, String outcome) {
    if (event != null) {
      event.outcome = outcome;
      event.commit();
    }
  }
}
