package io.jgloo.examples.lightgbm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Certificates;
import io.jgloo.transport.ShortJvm;
import io.jgloo.transport.TlsOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/training.md in three processes. */
@Timeout(300)
class TrainTest {

  private static final int RANKS = 3;

  @TempDir private Path folder;

  /** Writes shards with the label in front, and trains. */
  private String train(List<String> rows, boolean secure) throws Exception {
    for (int rank = 0; rank < RANKS; rank++) {
      List<String> shard = new ArrayList<>();
      for (int row = rank; row < rows.size(); row += RANKS) {
        shard.add(rows.get(row));
      }
      Files.write(folder.resolve("rows-" + rank + ".csv"), shard);
    }
    Path model = folder.resolve("model.txt");
    List<Process> processes = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      List<String> command = ShortJvm.command("-cp", System.getProperty("java.class.path"));
      command.add(Train.class.getName());
      command.addAll(List.of(folder.resolve("rows-RANK.csv").toString(), model.toString()));
      ProcessBuilder process = new ProcessBuilder(command).inheritIO();
      Map<String, String> environment = process.environment();
      environment.put("GLOO_RANK", "" + rank);
      environment.put("GLOO_SIZE", "" + RANKS);
      environment.put("GLOO_STORE", folder.resolve("store").toUri().toString());
      environment.put("OMP_NUM_THREADS", "1");
      if (secure) {
        TlsOptions tls = Certificates.of(rank);
        environment.put("GLOO_TLS_CERTIFICATE", tls.certificate().toString());
        environment.put("GLOO_TLS_KEY", tls.key().toString());
        environment.put("GLOO_TLS_CA", tls.authority().toString());
        environment.put("GLOO_TLS_RANK", "any");
        environment.put("GLOO_SECRET", "a secret of the job, 32 characters");
      }
      processes.add(process.start());
    }
    for (Process process : processes) {
      assertEquals(0, process.waitFor());
    }
    return Files.readString(model);
  }

  private static List<String> generated() {
    Random random = new Random(5);
    List<String> rows = new ArrayList<>();
    for (int row = 0; row < 900; row++) {
      double first = random.nextGaussian();
      double second = random.nextGaussian();
      rows.add((first * second > 0 ? 1 : 0) + "," + first + "," + second);
    }
    return rows;
  }

  @Test
  void generatedRows_areLearned() throws Exception {
    String model = train(generated(), false);
    assertTrue(model.contains("Tree=49\n"), model);
    assertTrue(model.contains("[num_machines: 3]"), model);
  }

  @Test
  void generatedRows_areLearnedWithTlsAndSecret() throws Exception {
    assertTrue(train(generated(), true).contains("Tree=49\n"));
  }

  @Test
  void page_hasTheProgram() throws IOException {
    Path root = Path.of("").toAbsolutePath().getParent().getParent();
    String program =
        Files.readString(
            root.resolve("examples/lightgbm/src/main/java")
                .resolve(Train.class.getName().replace('.', '/') + ".java"));
    String shown = program.substring(program.indexOf("public final class Train"));
    assertTrue(Files.readString(root.resolve("docs/training.md")).contains(shown), shown);
  }
}
