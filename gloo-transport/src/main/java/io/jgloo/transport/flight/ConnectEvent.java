package io.jgloo.transport.flight;

import io.jgloo.transport.Membership;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;

/** Flight Recorder event: the pairs of a mesh connect, or an attempt ends. */
@Name("io.jgloo.Connect")
@Label("Connect")
@Description("The pairs of a mesh connect, or an attempt ends")
@Category("JGloo")
@Registered(true) // the JDK ignores the default value here
public final class ConnectEvent extends MembershipEvent {

  private ConnectEvent() {}

  /** Records what a rank does to connect; it ends or fails as the action does. */
  public static void of(Membership own, Runnable action) {
    new ConnectEvent().record(own, action);
  }
}
