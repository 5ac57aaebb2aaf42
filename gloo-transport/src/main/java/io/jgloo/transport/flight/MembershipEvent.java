package io.jgloo.transport.flight;

import io.jgloo.transport.Membership;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Registered;

/** Something that a rank does to become a member of its group. */
@Registered(false)
abstract class MembershipEvent extends Event {

  @Label("Group")
  String group;

  @Label("Epoch")
  long epoch;

  @Label("Rank")
  int rank;

  @Label("Size")
  int size;

  @Label("Failure")
  @Description("Why it failed, or null")
  String failure;

  /** Does it, and records how long that takes and whether it fails. */
  final void record(Membership own, Runnable action) {
    group = own.group();
    epoch = own.epoch();
    rank = own.rank();
    size = own.size();
    begin();
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      failure = e.toString();
      throw e;
    } finally {
      commit();
    }
  }
}
