/** Tests of programs that use JGloo: ranks in one JVM, faults, simulated network and time. */
module io.jgloo.testkit {
  requires transitive io.jgloo;
  requires transitive io.jgloo.transport;
  requires static org.jspecify;
  requires static transitive org.junit.jupiter.api;
  requires static org.junit.platform.commons;

  exports io.jgloo.testkit;

  opens io.jgloo.testkit to
      org.junit.platform.commons;
}
