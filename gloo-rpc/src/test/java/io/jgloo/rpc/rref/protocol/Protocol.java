package io.jgloo.rpc.rref.protocol;

/** The protocol, or the protocol with a planted defect. */
@FunctionalInterface
interface Protocol {

  /** The code that runs in production. */
  Protocol REAL = RRefProtocol::step;

  Step step(RRefState state, Event event);
}
