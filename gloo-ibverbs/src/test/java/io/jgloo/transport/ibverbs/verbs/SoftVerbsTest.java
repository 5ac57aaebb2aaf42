package io.jgloo.transport.ibverbs.verbs;

import io.jgloo.transport.ibverbs.RdmaPort;

/** The software double does what the binding does on a real device. */
final class SoftVerbsTest extends VerbsContract {

  private final SoftVerbs verbs = new SoftVerbs(new SoftFabric());

  @Override
  RdmaPort port() {
    return new RdmaPort(verbs, SoftVerbs.NAME, 2);
  }
}
