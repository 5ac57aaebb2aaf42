package io.jgloo.bench.foreign;

import io.jgloo.CallOptions;
import io.jgloo.ProcessGroup;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * A plan at one rank: its cases in order, each output behind the other in {@code rank-R.bin}, and a
 * line of bytes and case for each in {@code rank-R.txt}.
 *
 * @param pytorch whether the others are PyTorch's, where tags cannot be said
 * @param dump folder of these files
 * @param begins hears the number of each case before it
 */
public record PlanRun(ProcessGroup group, boolean pytorch, Path dump, IntConsumer begins) {
  /** The driver's last barrier: none leaves while another may still need it. */
  private static final long LAST_TAG = 0xffff_ffffL;

  /** Runs all. */
  public void run(List<Case> plan) throws IOException {
    String stem = "rank-" + group.rank();
    try (FileChannel outputs =
            FileChannel.open(
                dump.resolve(stem + ".bin"),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
        BufferedWriter index = Files.newBufferedWriter(dump.resolve(stem + ".txt"))) {
      for (int i = 0; i < plan.size(); i++) {
        begins.accept(i);
        long written = 0;
        for (ByteBuffer output : CaseRun.of(group, plan.get(i))) {
          while (output.hasRemaining()) {
            written += outputs.write(output);
          }
        }
        index.write(written + " " + plan.get(i).line() + "\n");
      }
    }
    (pytorch ? group : group.with(CallOptions.DEFAULTS.tag(LAST_TAG))).barrier();
  }
}
