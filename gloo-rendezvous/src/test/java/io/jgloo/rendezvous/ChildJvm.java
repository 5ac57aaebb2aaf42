package io.jgloo.rendezvous;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.transport.ShortJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;

/** Another JVM that runs a main class of the tests, and whose output is read line by line. */
public final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private ChildJvm(Process process) {
    this.process = process;
    output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  /** Starts one; its standard error goes to ours. */
  public static ChildJvm start(Class<?> main, Object... arguments) throws IOException {
    List<String> command = ShortJvm.command("-Xmx128m");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** In the child: ends this process when its parent has ended, at the end of the pipe. */
  public static void endWithTheParent() {
    Thread thread =
        new Thread(
            () -> {
              try {
                System.in.read();
              } catch (IOException e) {
                Runtime.getRuntime().halt(2);
              }
              Runtime.getRuntime().halt(3);
            },
            "end-with-the-parent");
    thread.setDaemon(true);
    thread.start();
  }

  public long pid() {
    return process.pid();
  }

  /** The next line, {@code null} at the end. */
  public String line() throws IOException {
    return output.readLine();
  }

  /** Gives the child a line to read. */
  public void tell(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(UTF_8));
    process.getOutputStream().flush();
  }

  /** SIGKILL; what it has written can still be read. */
  void kill() {
    process.toHandle().destroyForcibly();
    process.onExit().join();
  }

  public int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
