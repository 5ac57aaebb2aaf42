package io.jgloo.bench.compare;

/**
 * What all rounds say about one series at one size.
 *
 * @param p50Us of the rounds' medians
 * @param p99Us of their 99th percentiles
 * @param ratio ours by theirs, round by round; below 1 we are faster. Null for our own series, and
 *     where no round has both
 * @param busbw bytes by median time and the operation's bus factor, in GB/s
 * @param rounds that measured it
 */
record Point(
    String operation,
    int ranks,
    String series,
    long bytes,
    Statistic p50Us,
    Statistic p99Us,
    Statistic ratio,
    double busbw,
    int rounds) {}
