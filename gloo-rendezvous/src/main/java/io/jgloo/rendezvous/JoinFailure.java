package io.jgloo.rendezvous;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.ProtocolException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The notice of the rank that serves the store that it stops waiting for the others, which ends the
 * join for all: its rank (i32), number of missing ranks (i32), each of them (i32), and its message
 * (to the end, UTF-8), all big-endian.
 */
record JoinFailure(int rank, List<Integer> missing, String message) {
  static JoinFailure of(int rank, JGlooException cause) {
    List<Integer> missing =
        cause instanceof RendezvousTimeoutException timeout ? timeout.missingRanks() : List.of();
    return new JoinFailure(rank, missing, String.valueOf(cause.getMessage()));
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

  static JoinFailure decode(byte[] encoded) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
      int rank = in.readInt();
      int count = in.readInt();
      List<Integer> missing = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        missing.add(in.readInt());
      }
      String message = new String(in.readAllBytes(), UTF_8);
      return new JoinFailure(rank, missing, message);
    } catch (IOException e) {
      throw new ProtocolException(
          "a join failure in the store is truncated at " + encoded.length + " bytes", e);
    }
  }

  /**
   * The exception at another rank; if that is the only missing one, the serving rank is missing.
   *
   * @param unconnected what this rank has seen itself, or null
   */
  RendezvousException toException(RankRecord own, @Nullable MeshConnectException unconnected) {
    String text =
        String.format(
            "%s cannot connect: rank %d, which serves the store, gave up: %s%s",
            own, rank, message, unconnected == null ? "" : "; here: " + unconnected.getMessage());
    if (missing.isEmpty()) {
      return new RendezvousException(text, unconnected);
    }
    List<Integer> others = missing.stream().filter(each -> each != own.rank()).toList();
    return new RendezvousTimeoutException(
        text, others.isEmpty() ? List.of(rank) : others, unconnected);
  }
}
