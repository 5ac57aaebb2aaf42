package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;
import java.util.ArrayList;
import java.util.List;

/**
 * What Gloo's two halving algorithms have in common: the exchanges within a block of ranks, at
 * twice the distance each time, and those between blocks.
 *
 * <p>A range is cut so that every part is a multiple of a chunk, of which there are as many as the
 * largest block has ranks; only the end of the vector cuts a part short.
 */
final class Halving {
  /** How far the slots of a pair are from the next pair's, in C++: also where a pair has four. */
  private static final int SLOTS_OF_PAIR = 2;

  private final Program program;
  private final Shape shape;
  private final int rank;
  private final long elements;
  private final Space place;
  private final long placeOffset;
  final BinaryBlocks block;
  final int rounds;
  final int steps;
  private final long[] sentFrom;
  private final long[] receivedFrom;

  /**
   * @param place where the vector lies
   */
  Halving(Program program, Shape shape, int rank, Range place) {
    this.program = program;
    this.shape = shape;
    this.rank = rank;
    this.elements = shape.bytes() / shape.elementBytes();
    this.place = place.space();
    this.placeOffset = place.offset();
    block = BinaryBlocks.of(shape.size(), rank);
    rounds = BinaryBlocks.log(block.size());
    steps = BinaryBlocks.log(Integer.highestOneBit(shape.size()));
    sentFrom = new long[rounds];
    receivedFrom = new long[rounds];
    long start = 0;
    for (int round = 0; round < rounds; round++) {
      long width = width(round);
      sentFrom[round] = start + (bit(peer(round), round) ? width : 0);
      receivedFrom[round] = start + (bit(rank, round) ? width : 0);
      start = receivedFrom[round];
    }
  }

  private static boolean bit(int number, int index) {
    return (number >> index & 1) != 0;
  }

  /** Elements of a chunk. */
  long chunk() {
    long chunks = 1L << steps;
    return (elements + chunks - 1) / chunks;
  }

  /** Elements of what is exchanged in a round. */
  private long width(int round) {
    return chunk() << (steps - 1 - round);
  }

  /** Elements from one on, as far as the vector reaches. */
  Range range(long from, long count) {
    long start = Math.min(elements, from);
    long length = Math.min(count, elements - start);
    return new Range(place, start * shape.elementBytes(), length * shape.elementBytes())
        .moved(placeOffset);
  }

  private Range sent(int round) {
    return range(sentFrom[round], width(round));
  }

  private Range received(int round) {
    return range(receivedFrom[round], width(round));
  }

  /** What this rank has reduced when all exchanges are done. */
  Range last() {
    return rounds == 0 ? range(0, elements) : received(rounds - 1);
  }

  int peer(int round) {
    return rank ^ 1 << round;
  }

  /** The first slot that this rank shares with a peer. */
  int slot(int peer) {
    return SLOTS_OF_PAIR * (Math.min(rank, peer) * shape.size() + Math.max(rank, peer));
  }

  /** Exchanges parts within the block, each rank reducing what it keeps. */
  void reduce() {
    for (int round = 0; round < rounds; round++) {
      int peer = peer(round);
      if (!sent(round).isEmpty()) {
        program.put(peer, slot(peer), sent(round), 0);
      }
      if (!received(round).isEmpty()) {
        program.takeReduce(peer, slot(peer), received(round));
      }
      program.note(peer, slot(peer) + 1);
    }
  }

  /** Reduces what comes from the smaller block; its rank, or -1 if there is nothing. */
  int takeFromSmaller() {
    if (block.smaller() == 0 || last().isEmpty()) {
      return -1;
    }
    int peer = block.first() + block.size() + (rank - block.first()) % block.smaller();
    program.takeReduce(peer, slot(peer), last());
    return peer;
  }

  /** A part of this rank's range, for a rank of the larger block. */
  record Piece(int target, Range range) {}

  /** The pieces for the larger block's ranks, none of them empty. */
  List<Piece> pieces() {
    List<Piece> pieces = new ArrayList<>();
    int ratio = block.larger() / block.size();
    int bits = BinaryBlocks.log(Math.max(1, block.larger()));
    long width = chunk() << (steps - bits);
    long start = rounds == 0 ? 0 : receivedFrom[rounds - 1];
    int place = BinaryBlocks.reversed(rounds, rank - block.first());
    for (int i = 0; i < ratio; i++) {
      int target = block.first() - block.larger() + BinaryBlocks.reversed(bits, place * ratio + i);
      Range piece = range(start + i * width, width);
      if (!piece.isEmpty()) {
        pieces.add(new Piece(target, piece));
      }
    }
    return pieces;
  }

  /** The exchanges backwards: each rank hands out what is final. */
  void gather() {
    for (int round = rounds - 1; round >= 0; round--) {
      int peer = peer(round);
      program.awaitNote(peer, slot(peer) + 1);
      if (!received(round).isEmpty()) {
        program.put(peer, slot(peer), received(round), 0);
      }
      if (!sent(round).isEmpty()) {
        program.take(peer, slot(peer), sent(round), 0);
      }
      program.note(peer, slot(peer) + 1);
    }
    awaitNotes();
  }

  /** Awaits a note of every peer in the block. */
  void awaitNotes() {
    for (int round = rounds - 1; round >= 0; round--) {
      program.awaitNote(peer(round), slot(peer(round)) + 1);
    }
  }
}
