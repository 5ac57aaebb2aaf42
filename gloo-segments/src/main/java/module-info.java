/** Payloads of memory segments, for Java 22 and later. */
module io.jgloo.segments {
  requires transitive io.jgloo;

  exports io.jgloo.segment;
}
