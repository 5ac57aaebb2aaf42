package io.jgloo.examples.lightgbm;

import io.jgloo.ProcessGroup;
import io.jgloo.lightgbm.DistributedTrainer;
import io.jgloo.lightgbm.TrainedModel;
import io.jgloo.lightgbm.TrainingRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Trains on a file of each rank: arguments are its name, with RANK in it, and the model's. */
public final class Train {
  public static void main(String[] args) throws IOException {
    try (ProcessGroup group = ProcessGroup.init()) {
      Path rows = Path.of(args[0].replace("RANK", "" + group.rank()));
      TrainedModel model =
          new DistributedTrainer(group)
              .parameter("objective", "binary")
              .iterations(50)
              .train(TrainingRows.file(rows));
      try (ProcessGroup left = model.group()) {
        if (left.rank() == 0) {
          Files.writeString(Path.of(args[1]), model.text());
        }
      }
    }
  }
}
