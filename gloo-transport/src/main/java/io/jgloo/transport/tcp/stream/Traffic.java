package io.jgloo.transport.tcp.stream;

import java.util.Map;

/** Counts what a mesh has moved; under the mesh's lock. */
public final class Traffic {

  private long bytesIn;
  private long bytesOut;
  private long reads;
  private long writes;
  private long bytesInPlace;
  private long bytesInShared;
  private long bytesOutShared;

  void read(int bytes) {
    reads++;
    bytesIn += Math.max(0, bytes);
  }

  void written(long bytes) {
    writes++;
    bytesOut += bytes;
  }

  /** Bytes were read from a ring in shared memory. */
  void readShared(int bytes) {
    read(bytes);
    bytesInShared += Math.max(0, bytes);
  }

  /** Bytes were written to a ring in shared memory. */
  void writtenShared(long bytes) {
    written(bytes);
    bytesOutShared += bytes;
  }

  /** Bytes of a message were read in the memory of the peer that sent it. */
  void readInPlace(int bytes) {
    bytesIn += bytes;
    bytesInShared += bytes;
    bytesInPlace += bytes;
  }

  /** The peer has read a message in the memory of this rank. */
  void lent(long bytes) {
    bytesOut += bytes;
    bytesOutShared += bytes;
  }

  long bytesIn() {
    return bytesIn;
  }

  public void addTo(Map<String, Long> counters) {
    counters.put("bytesIn", bytesIn);
    counters.put("bytesOut", bytesOut);
    counters.put("reads", reads);
    counters.put("writes", writes);
    counters.put("bytesInPlace", bytesInPlace);
    counters.put("bytesInShared", bytesInShared);
    counters.put("bytesOutShared", bytesOutShared);
  }
}
