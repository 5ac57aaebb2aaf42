package io.jgloo.transport.flight;

import io.jgloo.transport.Membership;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;

/** Flight Recorder event: a rank finds the others through the store, and connects to them. */
@Name("io.jgloo.Rendezvous")
@Label("Rendezvous")
@Description("A rank finds the others through the store, and connects to them")
@Category("JGloo")
@Registered(true) // the JDK ignores the default value here
public final class RendezvousEvent extends MembershipEvent {

  private RendezvousEvent() {}

  /** Records what a rank does to join its group; it ends or fails as the action does. */
  public static void of(Membership own, Runnable action) {
    new RendezvousEvent().record(own, action);
  }
}
