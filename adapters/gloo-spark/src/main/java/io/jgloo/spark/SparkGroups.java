package io.jgloo.spark;

import io.jgloo.GroupBuilder;
import io.jgloo.OpenRank;
import io.jgloo.ProcessGroup;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.TlsOptions;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import scala.Function1;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/**
 * Makes a process group of the tasks of a barrier stage: each task opens a port, Spark's {@code
 * allGather} exchanges the addresses, and the tasks connect. No store is needed.
 *
 * <pre>{@code
 * JavaRDD<double[]> sums =
 *     SparkGroups.mapPartitionsWithGroup(
 *         rows,
 *         (group, part) -> {
 *           double[] sum = add(part);
 *           group.allreduce(sum, ReduceOp.SUM);
 *           return List.of(sum).iterator();
 *         });
 * }</pre>
 *
 * <p>When a task or its executor is lost, the group fails at all tasks. Spark repeats the stage,
 * and its tasks form a group of the next epoch, which refuses tasks of the last attempt.
 *
 * <p><em>Threads</em>: any.
 */
public final class SparkGroups {

  /**
   * Deadline of connecting. Spark's own barrier waits for a year unless {@code
   * spark.barrier.sync.timeout} is set.
   */
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private SparkGroups() {}

  /**
   * Applies a function to each partition, in tasks that run at the same time and form a group.
   *
   * <p>A shuffle into as many partitions follows the stage, as Spark repeats a barrier stage only
   * if it is not the last of its job. So the rows of the result are in no order.
   *
   * @param rows the input; Spark needs as many free slots as it has partitions
   * @param function is sent to the tasks, with what it refers to
   * @throws IllegalArgumentException if an argument is null
   */
  public static <T, R> JavaRDD<R> mapPartitionsWithGroup(
      JavaRDD<T> rows, GroupFunction<T, R> function) {
    if (rows == null || function == null) {
      throw new IllegalArgumentException("rows and function must not be null");
    }
    // Scala's function, because RDDBarrier has no Java form.
    Function1<Iterator<T>, Iterator<R>> task =
        (Function1<Iterator<T>, Iterator<R>> & Serializable) part -> run(function, part);
    // The class of the rows is not known; Spark's Java API does the same.
    @SuppressWarnings("unchecked")
    ClassTag<R> type = (ClassTag<R>) ClassTag.AnyRef();
    return rows.rdd()
        .barrier()
        .mapPartitions(task, false, type)
        .toJavaRDD()
        .coalesce(rows.getNumPartitions(), true);
  }

  private static <T, R> Iterator<R> run(GroupFunction<T, R> function, Iterator<T> part) {
    BarrierTaskContext task = BarrierTaskContext.get();
    try (ProcessGroup group = join(task)) {
      java.util.Iterator<R> results;
      try {
        results = function.call(group, CollectionConverters.asJava(part));
      } catch (JGlooException e) {
        throw e; // all ranks know it
      } catch (Exception | Error e) {
        group.abort("the task of partition " + task.partitionId() + " failed: " + e);
        throw e;
      }
      group.barrier(); // no task closes the group while another needs it
      return CollectionConverters.asScala(results);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("the function of the task failed: " + e, e);
    }
  }

  /**
   * Connects the tasks of a barrier stage, all of which make this call once in an attempt.
   *
   * <p>Job secret and TLS are those of the executor's environment: {@code
   * spark.executorEnv.GLOO_SECRET_FILE}, {@code spark.executorEnv.GLOO_TLS_CERTIFICATE} and so on.
   * Executors have no ranks of their own, so certificates that name one need {@code
   * GLOO_TLS_RANK=any}.
   *
   * @param task that of the calling thread
   * @return the group, whose rank is the number of the partition and whose epoch is the attempt of
   *     the stage; the caller closes it
   * @throws JGlooException if the tasks are not connected within a minute after all have called
   */
  public static ProcessGroup join(BarrierTaskContext task) {
    // All executors reach the driver: listen where packets leave for it.
    String driver = SparkEnv.get().conf().get("spark.driver.host", "localhost");
    GroupBuilder builder =
        ProcessGroup.builder()
            .rank(task.partitionId())
            .size(task.getTaskInfos().length)
            .name("stage-" + task.stageId())
            .epoch(task.stageAttemptNumber())
            .device("tcp", DeviceOptions.DEFAULTS.with("reach", driver))
            .connectTimeout(TIMEOUT);
    JobSecret.fromEnvironment(System.getenv()).ifPresent(builder::secret);
    TlsOptions.fromEnvironment(System.getenv()).ifPresent(builder::tls);
    try (OpenRank open = builder.open()) {
      return open.connect(List.of(task.allGather(open.address())));
    }
  }
}
