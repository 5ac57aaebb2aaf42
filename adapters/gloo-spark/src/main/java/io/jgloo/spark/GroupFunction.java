package io.jgloo.spark;

import io.jgloo.ProcessGroup;
import java.io.Serializable;
import java.util.Iterator;

/**
 * A function that each task of a barrier stage applies to its rows and the group of all tasks.
 *
 * @param <T> rows of the input
 * @param <R> rows of the result
 */
@FunctionalInterface
public interface GroupFunction<T, R> extends Serializable {
  /**
   * Computes the rows of the result of one task.
   *
   * @param group the tasks of the stage, connected; the rank is the number of the partition. It is
   *     closed when this call has returned: an iterator that is returned must not use it
   * @param rows the rows of this task's partition
   * @return the rows of the result; not null
   * @throws Exception fails the task and the group at all ranks, and Spark repeats the stage
   */
  Iterator<R> call(ProcessGroup group, Iterator<T> rows) throws Exception;
}
