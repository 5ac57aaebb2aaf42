package io.jgloo.fault;

import java.io.IOException;

/** What a rank said when its call failed. */
record Failure(int rank, long nanos, String kind, String blamed, String message) {

  static Failure of(RankProcess process) throws IOException, InterruptedException {
    String[] words = process.answer(FaultRank.FAILED).split(" ", 3);
    int end = words[2].indexOf(']') + 1;
    String blamed = words[2].substring(0, end);
    return new Failure(
        process.rank(), Long.parseLong(words[0]), words[1], blamed, words[2].substring(end));
  }

  double millisAfter(long instant) {
    return (nanos - instant) / 1e6;
  }
}
