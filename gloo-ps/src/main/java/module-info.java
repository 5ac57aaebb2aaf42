/** A parameter server: workers push and pull values that servers hold by key. */
module io.jgloo.ps {
  requires transitive io.jgloo.rpc;

  exports io.jgloo.ps;
  exports io.jgloo.ps.handle;
  exports io.jgloo.ps.kv;
  exports io.jgloo.ps.node;
  exports io.jgloo.ps.store;
}
