package io.jgloo.bench.foreign;

import io.jgloo.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The vectors of one case at one rank, and which of them are its output. */
final class Vectors {
  private final Case each;
  private final int rank;
  private final List<ByteBuffer> kept = new ArrayList<>();

  Vectors(Case each, int rank) {
    this.each = each;
    this.rank = rank;
  }

  Payload input(int count) {
    return input(0, count);
  }

  Payload input(int number, int count) {
    return payload(Filling.of(each, rank, number, count));
  }

  /** Room that is written to the dump, as it is at the end. */
  Payload output(int count) {
    ByteBuffer bytes = Filling.empty(each, count);
    kept.add(bytes);
    return payload(bytes);
  }

  /** An input that is written to the dump, as it is at the end. */
  Payload both(int count) {
    ByteBuffer bytes = Filling.of(each, rank, 0, count);
    kept.add(bytes);
    return payload(bytes);
  }

  /** Writes to the dump what is in these bytes at the end. */
  void keep(ByteBuffer bytes) {
    kept.add(bytes);
  }

  /** A part of a vector, in elements. */
  ByteBuffer part(ByteBuffer bytes, int from, int count) {
    int width = each.type().bytes();
    return bytes.slice(from * width, count * width).order(bytes.order());
  }

  Payload payload(ByteBuffer bytes) {
    return Payload.of(bytes, each.type());
  }

  List<ByteBuffer> kept() {
    return kept;
  }
}
