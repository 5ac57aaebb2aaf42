package io.jgloo.rpc.rref.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * A user's entry of one fork.
 *
 * @param status what the owner has said about it
 * @param reason why it cannot be used, or null
 * @param open whether the application holds the handle
 * @param children forks made from this one that their holders have not accepted
 * @param tickets fetches that wait for an answer
 * @param arrival the call or result that brought the fork and waits for it, or null
 */
public record User(
    Status status, Reason reason, boolean open, int children, List<Long> tickets, Object arrival) {

  /** What the owner has said about a fork. */
  public enum Status {
    /** Nothing yet: can be used and passed on, not deleted. */
    PENDING,
    /** The owner knows the fork. */
    CONFIRMED,
    /** Cannot be used; the owner may know the fork, so a delete is owed. */
    FAILED,
    /** Cannot be used; the owner does not know the fork. */
    REFUSED
  }

  static User pending(Object arrival) {
    return new User(Status.PENDING, null, true, 0, List.of(), arrival);
  }

  static User confirmed() {
    return new User(Status.CONFIRMED, null, true, 0, List.of(), null);
  }

  /** Whether nothing keeps the entry any more but the status. */
  boolean isUnused() {
    return !open && children == 0 && tickets.isEmpty();
  }

  boolean isUsable() {
    return status == Status.PENDING || status == Status.CONFIRMED;
  }

  User confirm() {
    return new User(Status.CONFIRMED, null, open, children, tickets, null);
  }

  User end(Status how, Reason why) {
    return new User(how, why, open, children, List.of(), null);
  }

  User close() {
    return new User(status, reason, false, children, tickets, arrival);
  }

  User addChildren(int more) {
    return new User(status, reason, open, children + more, tickets, arrival);
  }

  User ask(long ticket) {
    return new User(status, reason, open, children, Owned.plus(tickets, ticket), arrival);
  }

  User answered(long ticket) {
    List<Long> rest = new ArrayList<>(tickets);
    rest.remove(Long.valueOf(ticket));
    return new User(status, reason, open, children, List.copyOf(rest), arrival);
  }
}
