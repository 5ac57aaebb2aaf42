/** Process groups and the collectives on them. */
module io.jgloo {
  requires static jdk.jfr;
  requires static transitive org.jspecify;
  requires transitive io.jgloo.rendezvous;
  requires transitive io.jgloo.transport;

  uses io.jgloo.collectives.AlgorithmProvider;

  exports io.jgloo;
  exports io.jgloo.collectives;
  exports io.jgloo.collectives.verify;
  exports io.jgloo.gradient;
}
