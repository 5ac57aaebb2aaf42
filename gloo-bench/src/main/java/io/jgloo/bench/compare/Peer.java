package io.jgloo.bench.compare;

import java.io.IOException;
import java.util.List;

/** Something that is measured beside others, in processes of its own. */
interface Peer {

  /** Short name, for progress and for what failed. */
  String name();

  /** How it is run, as whoever reads its figures must know. */
  String mode();

  boolean measures(Task task);

  /**
   * One round of a task.
   *
   * @return what it measured, of one or more series
   * @throws IOException if a process of it failed or hung
   */
  List<Timing> measure(Task task) throws IOException, InterruptedException;
}
