package io.jgloo.bench.report;

import io.jgloo.bench.report.Run.Header;
import io.jgloo.bench.report.Run.Row;
import io.jgloo.bench.report.Run.Use;

/**
 * One step of a run as rank 0 reports it; exactly one of these is present.
 *
 * @param header what is about to run
 * @param row a line is complete
 * @param end all lines are complete, and what that took
 */
public record Event(Header header, Row row, Use end) {}
