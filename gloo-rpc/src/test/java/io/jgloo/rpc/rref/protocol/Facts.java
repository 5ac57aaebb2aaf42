package io.jgloo.rpc.rref.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What has happened in the whole group so far, as far as the invariants need it. */
record Facts(Map<Facts.Fact, Object> map) {

  Facts() {
    this(new HashMap<>());
  }

  Facts copy() {
    return new Facts(new HashMap<>(map));
  }

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
    return map.containsKey(new Fact(kind, subject));
  }

  Object get(Kind kind, Object subject) {
    return map.get(new Fact(kind, subject));
  }

  void add(Kind kind, Object subject, Object value) {
    map.put(new Fact(kind, subject), value);
  }

  void add(Kind kind, Object subject) {
    map.putIfAbsent(new Fact(kind, subject), true);
  }

  void addChild(Object parent, ForkId child) {
    List<Object> children = new ArrayList<>(children(parent));
    children.add(child);
    add(Kind.MADE, child, parent);
    add(Kind.CHILDREN, parent, List.copyOf(children));
  }

  List<?> children(Object parent) {
    return (List<?>) map.getOrDefault(new Fact(Kind.CHILDREN, parent), List.of());
  }

  List<Object> subjects(Kind kind) {
    return map.keySet().stream().filter(fact -> fact.kind() == kind).map(Fact::subject).toList();
  }
}
