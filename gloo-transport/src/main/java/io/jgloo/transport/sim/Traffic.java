package io.jgloo.transport.sim;

import java.util.LinkedHashMap;
import java.util.Map;

/** What one simulated mesh has moved; guarded by the world's lock. */
final class Traffic {

  private long messagesSent;
  private long bytesSent;
  private long messagesReceived;
  private long bytesReceived;
  private long unexpectedMessages;

  void sent(long bytes) {
    messagesSent++;
    bytesSent += bytes;
  }

  void received(long bytes) {
    messagesReceived++;
    bytesReceived += bytes;
  }

  void unexpected() {
    unexpectedMessages++;
  }

  Map<String, Long> counters() {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("messagesSent", messagesSent);
    counters.put("bytesSent", bytesSent);
    counters.put("messagesReceived", messagesReceived);
    counters.put("bytesReceived", bytesReceived);
    counters.put("unexpectedMessages", unexpectedMessages);
    return counters;
  }
}
