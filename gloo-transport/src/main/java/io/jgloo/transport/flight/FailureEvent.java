package io.jgloo.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Flight Recorder event: a group has failed at a rank. */
@Name("io.jgloo.Failure")
@Label("Failure")
@Description("A group has failed at a rank")
@Category("JGloo")
public final class FailureEvent extends Event {

  @Label("Group")
  final String group;

  @Label("Rank")
  final int rank;

  @Label("Kind")
  final String kind;

  @Label("Message")
  final String message;

  private FailureEvent(String group, int rank, Throwable failure) {
    this.group = group;
    this.rank = rank;
    kind = failure.getClass().getSimpleName();
    message = failure.getMessage();
  }

  /** Records that a group fails now. */
  public static void record(String group, int rank, Throwable failure) {
    new FailureEvent(group, rank, failure).commit();
  }
}
