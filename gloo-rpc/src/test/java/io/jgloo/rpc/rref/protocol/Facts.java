package io.jgloo.rpc.rref.protocol;

import java.util.ArrayList;
import java.util.List;

/** What has happened in the whole group so far, as far as the invariants need it. Immutable. */
record Facts(PersistentMap<Facts.Fact, Object> map) {

  static final Facts NONE = new Facts(PersistentMap.empty());

  enum Kind {
    /** Subject: a reference whose call arrived at its owner. */
    CREATED,
    /** Subject: a reference whose value its owner has dropped. */
    DROPPED,
    /** Subject: a fork, value: its parent. */
    MADE,
    /** Subject: a fork, value: the list of its children. */
    CHILDREN,
    /** Subject: a fork that its holder knows to be confirmed. */
    CONFIRMED,
    /** Subject: a fork that its holder cannot use. */
    BROKEN,
    /** Subject: a fork that its owner has deleted. */
    DELETED,
    /** Subject: a fork that was not delivered. */
    RETURNED,
    /** Subject: an agent and a peer that it has lost. */
    LOST,
    /** Subject: agent and key of a call that arrived, value: its forks. */
    ARRIVED,
    /** Subject: agent and key of a call that ran. */
    RAN,
    /** Subject: agent and key of a call that was refused. */
    REFUSED,
    /** Subject: fork and ticket. */
    ASKED,
    /** Subject: fork and ticket, value: the outcome. */
    DELIVERED
  }

  record Fact(Kind kind, Object subject) {}

  boolean has(Kind kind, Object subject) {
    return map.contains(new Fact(kind, subject));
  }

  Object get(Kind kind, Object subject) {
    return map.get(new Fact(kind, subject));
  }

  Facts with(Kind kind, Object subject, Object value) {
    return new Facts(map.with(new Fact(kind, subject), value));
  }

  Facts with(Kind kind, Object subject) {
    return has(kind, subject) ? this : with(kind, subject, true);
  }

  Facts withChild(Object parent, ForkId child) {
    List<Object> children = new ArrayList<>(children(parent));
    children.add(child);
    return with(Kind.MADE, child, parent).with(Kind.CHILDREN, parent, List.copyOf(children));
  }

  List<?> children(Object parent) {
    Object children = get(Kind.CHILDREN, parent);
    return children == null ? List.of() : (List<?>) children;
  }

  List<Object> subjects(Kind kind) {
    List<Object> found = new ArrayList<>();
    map.forEach(
        (fact, value) -> {
          if (fact.kind() == kind) {
            found.add(fact.subject());
          }
        });
    return found;
  }
}
