package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;

/** What an agent has to do after an event. */
public sealed interface Effect {

  /** Carries effects out: sends messages, the others by the names of the effects. */
  interface Actions {
    void send(AgentId to, Message message);

    void creation(Message.RemoteCall call);

    void accepted(Message.UserAccept accept);

    void fetch(Message.Fetch fetch);

    void fetched(Message.FetchReply reply);

    void control(AgentId to, Message message);

    void run(Object key);

    void refuse(Object key, Reason reason);

    void deliver(long ticket, Outcome outcome);

    void confirmed(ForkId fork);

    void failed(ForkId fork, Reason reason);

    void dropped(RRefId ref, Outcome outcome);

    void discarded(Outcome outcome);

    void rejected(AgentId from, String why);
  }

  /** Carries the effect out. */
  void carryOut(Actions actions);

  /** Send the message. A request is to be repeated until it has left {@link RRefTables#outbox}. */
  record Send(AgentId to, Message message) implements Effect {
    @Override
    public void carryOut(Actions actions) {
      actions.send(to, message);
    }
  }

  /** All references of the call or result are confirmed: run or deliver it. */
  record Run(Object key) implements Effect {
    @Override
    public void carryOut(Actions actions) {
      actions.run(key);
    }
  }

  /** A reference of the call or result cannot be used; all of them are closed. */
  record Refuse(Object key, Reason reason) implements Effect {
    @Override
    public void carryOut(Actions actions) {
      actions.refuse(key, reason);
    }
  }

  /** The fetch has ended. */
  record Deliver(ForkId fork, long ticket, Outcome outcome) implements Effect {
    @Override
    public void carryOut(Actions actions) {
      actions.deliver(ticket, outcome);
    }
  }

  /** The owner knows the fork. */
  record Confirmed(ForkId fork) implements Effect {
    @Override
    public void carryOut(Actions actions) {
      actions.confirmed(fork);
    }
  }

  /** The fork cannot be used any more. */
  record Failed(ForkId fork, Reason reason) implements Effect {
    @Override
    public void carryOut(Actions actions) {
      actions.failed(fork, reason);
    }
  }

  /** The reference cannot be put into a message. */
  record Denied(ForkId child, Reason reason) implements Effect {
    @Override
    public void carryOut(Actions actions) {
      // The caller sees it in what the tables return.
    }
  }

  /** The last fork and the last handle are gone: the value is no longer held. */
  record Dropped(RRefId ref, Outcome outcome) implements Effect {
    @Override
    public void carryOut(Actions actions) {
      actions.dropped(ref, outcome);
    }
  }

  /** A value came when nothing refers to its reference any more. */
  record Discarded(Outcome outcome) implements Effect {
    @Override
    public void carryOut(Actions actions) {
      actions.discarded(outcome);
    }
  }

  /** A message broke a rule and changed nothing. */
  record Rejected(AgentId from, Object message, String why) implements Effect {
    @Override
    public void carryOut(Actions actions) {
      actions.rejected(from, message + ": " + why);
    }
  }
}
