package io.jgloo.bench.report;

/** Measurements as JSON keeps them, with the other forms of a report. */
public interface Document {

  /** Returns all of it as text for people. */
  String text();

  /** Returns its figures as comma-separated values (RFC 4180). */
  String csv();
}
