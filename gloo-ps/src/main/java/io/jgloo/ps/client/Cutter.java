package io.jgloo.ps.client;

import io.jgloo.ps.kv.Slicer;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.wire.KvProtocol;
import java.util.Arrays;

/**
 * Cuts a call into pieces, by server and by length, and sends them.
 *
 * <p><i>Threads</i>: any.
 */
public final class Cutter<A> {

  /** Bytes of keys and values of a piece, unless one key has more. */
  static final long PIECE_BYTES = 4 << 20;

  private final Slicer slicer;
  private final ServerLink[] links;
  private final ValueType<A> type;

  public Cutter(Slicer slicer, ServerLink[] links, ValueType<A> type) {
    this.slicer = slicer;
    this.links = links;
    this.type = type;
  }

  /** Sends the pieces of a call. */
  public void send(Call<A> call, Operand<A> operand) {
    int size = operand.size();
    if (call.has(KvProtocol.TICK)) {
      for (ServerLink link : links) {
        send(call, link, new Piece.Slice<>(operand, 0, 0, 0, 0, null));
      }
    } else if (links.length == 1) {
      sendRange(call, links[0], operand, 0, size, 0, null);
    } else if (slicer.isMonotone()) {
      int from = 0;
      int valueFrom = 0;
      while (from < size) {
        int server = server(operand.key(from));
        int to = end(operand, from, server);
        valueFrom = sendRange(call, links[server], operand, from, to, valueFrom, null);
        from = to;
      }
    } else {
      scatter(call, operand);
    }
  }

  private void send(Call<A> call, ServerLink link, Piece.Slice<A> slice) {
    call.begin();
    link.send(new Piece<>(call, link, slice), call);
  }

  /** The rank of the server of a key. */
  private int server(long key) {
    int server = slicer.server(key, links.length);
    if (server < 0 || server >= links.length) {
      throw new IllegalArgumentException(
          ("slicer " + slicer + " gives key " + Long.toUnsignedString(key) + " to server ")
              + (server + ", but servers are 0 to " + (links.length - 1)));
    }
    return server;
  }

  /** Index after the last key of a server, by binary search. */
  private int end(Operand<A> operand, int from, int server) {
    int low = from + 1;
    int high = operand.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (server(operand.key(middle)) <= server) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Sends a range of keys in pieces; returns the index after its last value. */
  private int sendRange(
      Call<A> call,
      ServerLink link,
      Operand<A> operand,
      int from,
      int to,
      int valueFrom,
      int[] positions) {
    int[] lens = call.lensOf(positions);
    int each =
        operand.hasValues() && operand.size() > 0 ? operand.valueCount() / operand.size() : 0;
    long expected = call.has(KvProtocol.PULL) && lens == null ? call.sink.expected(1) : 0;
    int valueAt = valueFrom;
    while (from < to) {
      long bytes = 0;
      int end = from;
      int valueEnd = valueAt;
      while (end < to) {
        int length = lens == null ? each : lens[end];
        long more = 8 + Math.max(length, expected) * type.bytes();
        if (end > from && bytes + more > PIECE_BYTES) {
          break;
        }
        bytes += more;
        valueEnd += length;
        end++;
        if (lens == null && end == from + 1) { // all have the same length
          end = from + (int) Math.min(to - from, Math.max(1, PIECE_BYTES / more));
          valueEnd = valueAt + each * (end - from);
          break;
        }
      }
      int values = operand.hasValues() ? valueEnd - valueAt : 0;
      send(call, link, new Piece.Slice<>(operand, from, end - from, valueAt, values, positions));
      from = end;
      valueAt = valueEnd;
    }
    return valueAt;
  }

  /** Collects the keys of each server, with their values. */
  private void scatter(Call<A> call, Operand<A> operand) {
    int size = operand.size();
    int[] counts = new int[links.length];
    int[] servers = new int[size];
    for (int i = 0; i < size; i++) {
      servers[i] = server(operand.key(i));
      counts[servers[i]]++;
    }
    int[][] positions = new int[links.length][];
    Arrays.setAll(positions, server -> new int[counts[server]]);
    Arrays.fill(counts, 0);
    for (int i = 0; i < size; i++) {
      positions[servers[i]][counts[servers[i]]++] = i;
    }
    int[] lens = call.options.lens();
    int each = operand.hasValues() ? operand.valueCount() / Math.max(1, size) : 0;
    int[] begins = new int[size + 1];
    for (int i = 0; i < size; i++) {
      begins[i + 1] = begins[i] + (lens == null ? each : lens[i]);
    }
    for (int server = 0; server < links.length; server++) {
      int[] its = positions[server];
      if (its.length > 0) {
        Operand<A> part = operand.gather(begins, its);
        sendRange(call, links[server], part, 0, its.length, 0, its);
      }
    }
  }
}
