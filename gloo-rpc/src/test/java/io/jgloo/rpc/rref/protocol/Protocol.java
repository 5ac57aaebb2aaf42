package io.jgloo.rpc.rref.protocol;

import java.util.List;

/** The protocol, or the protocol with a planted defect. */
@FunctionalInterface
interface Protocol {

  /** The code that runs in production. */
  Protocol REAL = RRefTables::apply;

  List<Effect> apply(RRefTables tables, Event event);
}
