package io.jgloo.bench.rpc;

import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * PyTorch's rpc: both sides are processes of {@code peers/torch_rpc.py}, which describes the lines
 * they exchange with this one.
 */
final class TorchSubject implements Subject {

  private static final String PYTHON = "/usr/bin/python3";
  private static final long PATIENCE_SECONDS = 60;

  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final Child server;
  private final Child client;

  /**
   * @param driver {@code torch_rpc.py}
   * @throws IOException if it does not run: there is no {@code torch.distributed.rpc}
   */
  TorchSubject(Path driver) throws IOException, InterruptedException {
    int port = Job.freePort();
    server = start(driver, 1, port);
    client = start(driver, 0, port);
    server.follow(line -> {}, server::keep, ended -> {});
    client.follow(answers::add, client::keep, ended -> answers.add("ended"));
    if (!answer().equals("ready")) {
      close();
      throw new IOException("PyTorch's rpc does not run: " + client.errors());
    }
  }

  private static Child start(Path driver, int rank, int port) throws IOException {
    return new Child(
        "torch rank " + rank,
        new ProcessBuilder(List.of(PYTHON, driver.toString(), "" + rank, "" + port)));
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
  public Times echo(int bytes, int millis) throws IOException, InterruptedException {
    double[] figures = ask("echo " + bytes + " " + millis);
    return new Times(figures[0], figures[1]);
  }

  @Override
  public double pipeline(int bytes, int underWay, int millis)
      throws IOException, InterruptedException {
    return ask("pipeline " + bytes + " " + underWay + " " + millis)[0];
  }

  @Override
  public References references(int underWay, int millis) throws IOException, InterruptedException {
    double[] figures = ask("reference " + underWay + " " + millis);
    return new References(new Times(figures[0], figures[1]), figures[2]);
  }

  @Override
  public void close() {
    client.stop();
    server.stop();
  }
}
