package io.jgloo.bench.rpc;

import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * PyTorch's rpc: both sides are processes of {@code peers/torch_rpc.py}, which describes the lines
 * they exchange with this one.
 */
final class TorchSubject implements RpcCommand.Subject {

  private static final String PYTHON = "/usr/bin/python3";
  private static final long PATIENCE_SECONDS = 60;

  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final Job job = new Job();
  private final Child client;

  /**
   * @param driver {@code torch_rpc.py}
   * @throws IOException if it does not run: there is no {@code torch.distributed.rpc}
   */
  TorchSubject(Path driver) throws IOException, InterruptedException {
    int port = Job.freePort();
    start(driver, 1, port).follow(line -> {}, null, null);
    client = start(driver, 0, port);
    client.follow(answers::add, null, ended -> answers.add("ended"));
    if (!answer().equals("ready")) {
      close();
      throw new IOException("PyTorch's rpc does not run: " + client.errors());
    }
  }

  private Child start(Path driver, int rank, int port) throws IOException {
    return job.start(
        "torch rank " + rank, new ProcessBuilder(PYTHON, driver.toString(), "" + rank, "" + port));
  }

  private String answer() throws IOException, InterruptedException {
    String line = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (line == null) {
      close();
      throw new IOException("PyTorch's rpc does not answer: " + client.errors());
    }
    return line;
  }

  private double[] ask(String command) throws IOException, InterruptedException {
    client.write(command);
    String line = answer();
    try {
      return Arrays.stream(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
    } catch (NumberFormatException e) {
      throw new IOException("PyTorch's rpc failed: " + line + " " + client.errors(), e);
    }
  }

  @Override
  public String name() {
    return "pytorch rpc";
  }

  @Override
  public double[] echo(int bytes, int millis) throws IOException, InterruptedException {
    return ask("echo " + bytes + " " + millis);
  }

  @Override
  public double pipeline(int bytes, int underWay, int millis)
      throws IOException, InterruptedException {
    return ask("pipeline " + bytes + " " + underWay + " " + millis)[0];
  }

  @Override
  public double[] references(int underWay, int millis) throws IOException, InterruptedException {
    return ask("reference " + underWay + " " + millis);
  }

  @Override
  public void close() {
    job.close();
  }
}
