package io.jgloo.transport.ibverbs;

import java.util.Map;

/** Counts what a mesh has moved; under the mesh's lock. */
final class Traffic {

  private long framesIn;
  private long framesOut;
  private long bytesIn;
  private long bytesOut;
  private long written;
  private long read;
  private long copied;

  void sent(long bytes) {
    framesOut++;
    bytesOut += bytes;
  }

  void arrived(long bytes) {
    framesIn++;
    bytesIn += bytes;
  }

  /** The peer has written this much. */
  void received(long bytes) {
    bytesIn += bytes;
  }

  /** A piece was handed to the device. */
  void moved(long bytes, boolean reads, boolean throughSegment) {
    if (reads) {
      read += bytes;
      bytesIn += bytes;
    } else {
      written += bytes;
      bytesOut += bytes;
    }
    copied += throughSegment ? bytes : 0;
  }

  void addTo(Map<String, Long> counters) {
    counters.put("bytesIn", bytesIn);
    counters.put("bytesOut", bytesOut);
    counters.put("framesIn", framesIn);
    counters.put("framesOut", framesOut);
    counters.put("bytesWritten", written);
    counters.put("bytesRead", read);
    counters.put("bytesCopied", copied);
  }
}
