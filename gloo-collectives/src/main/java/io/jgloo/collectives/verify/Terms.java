package io.jgloo.collectives.verify;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Symbolic values: expressions over the ranks' contributions, each kept once and known by number.
 *
 * <p>Term {@code r} below the number of ranks is rank {@code r}'s contribution; further ones are
 * reductions of two earlier terms. Equal numbers mean the same association and operand order, hence
 * the same bits.
 */
final class Terms {
  /** No value: memory that has not been written. */
  static final int UNDEFINED = -1;

  private final List<Term> terms = new ArrayList<>();
  private final Map<Long, Integer> reductions = new HashMap<>();

  Terms(int ranks) {
    for (int rank = 0; rank < ranks; rank++) {
      BitSet contribution = new BitSet(ranks);
      contribution.set(rank);
      terms.add(new Term(rank, rank, contribution, true));
    }
  }

  /** The number of {@code f(first, second)}. */
  int reduce(int first, int second) {
    Integer known = reductions.get((long) first << 32 | second);
    if (known != null) {
      return known;
    }
    BitSet contributions = (BitSet) terms.get(first).contributions.clone();
    contributions.or(terms.get(second).contributions);
    boolean ascending = ascending(first) && ascending(second) && last(first) < first(second);
    terms.add(new Term(first, second, contributions, ascending));
    reductions.put((long) first << 32 | second, terms.size() - 1);
    return terms.size() - 1;
  }

  /** A rank whose contribution is in both terms, or -1. */
  int common(int one, int other) {
    BitSet both = terms.get(one).contributions;
    if (!both.intersects(terms.get(other).contributions)) {
      return -1;
    }
    BitSet common = (BitSet) both.clone();
    common.and(terms.get(other).contributions);
    return common.nextSetBit(0);
  }

  /** Whether the contributions in it are those of ranks {@code first} up to {@code end}. */
  boolean areOf(int term, int first, int end) {
    BitSet contributions = terms.get(term).contributions;
    return contributions.nextSetBit(0) == first
        && contributions.length() == end
        && contributions.cardinality() == end - first;
  }

  /** Whether its operands stand in ascending order of ranks. */
  boolean ascending(int term) {
    return terms.get(term).ascending;
  }

  /** The term in words, for example {@code (x0+x1)}. */
  String describe(int term) {
    if (term == UNDEFINED) {
      return "undefined";
    }
    Term value = terms.get(term);
    return value.first == value.second
        ? "x" + term
        : "(" + describe(value.first) + "+" + describe(value.second) + ")";
  }

  private int first(int term) {
    return terms.get(term).contributions.nextSetBit(0);
  }

  private int last(int term) {
    return terms.get(term).contributions.length() - 1;
  }

  /** A contribution has itself as both operands. */
  private record Term(int first, int second, BitSet contributions, boolean ascending) {}
}
