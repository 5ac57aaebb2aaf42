package io.jgloo.rendezvous;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.transport.ProtocolException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Why the rank that serves the store gives the meeting up, which ends it for all: its rank (i32),
 * how many ranks have not come (i32), which (i32 each), and its message (to the end, UTF-8), all
 * big-endian.
 */
record Verdict(int rank, List<Integer> missing, String message) {
  static Verdict of(int rank, RendezvousException failure) {
    List<Integer> missing =
        failure instanceof RendezvousTimeoutException timeout ? timeout.missingRanks() : List.of();
    return new Verdict(rank, missing, failure.getMessage());
  }

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(rank);
      out.writeInt(missing.size());
      for (int each : missing) {
        out.writeInt(each);
      }
      out.write(message.getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static Verdict decode(byte[] encoded) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
      int rank = in.readInt();
      int count = in.readInt();
      List<Integer> missing = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        missing.add(in.readInt());
      }
      String message = new String(in.readAllBytes(), UTF_8);
      return new Verdict(rank, missing, message);
    } catch (IOException e) {
      throw new ProtocolException("a verdict is cut short at " + encoded.length + " bytes", e);
    }
  }

  /** What another rank throws; for one that has just come, it is the server that is not there. */
  RendezvousException toException(RankRecord own) {
    String text =
        String.format(
            "%s cannot go on: rank %d, which serves the store, gave up: %s", own, rank, message);
    if (missing.isEmpty()) {
      return new RendezvousException(text, null);
    }
    List<Integer> others = missing.stream().filter(each -> each != own.rank()).toList();
    return new RendezvousTimeoutException(text, others.isEmpty() ? List.of(rank) : others, null);
  }
}
