package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.FreePort;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** A SLURM of one node, whose daemons the test starts. */
public final class Slurm implements AutoCloseable {

  private static final List<String> PROGRAMS = List.of("munged", "slurmctld", "slurmd", "srun");

  private static final Duration DAEMON_STARTS = Duration.ofSeconds(40);

  private final List<Process> started = new ArrayList<>();

  private final Path folder;

  private Slurm(Path folder) {
    this.folder = folder;
  }

  /**
   * Starts it; skips the test where it is not installed.
   *
   * @param folder short enough for the path of a socket
   */
  public static Slurm start(Path folder) throws Exception {
    assumeTrue(PROGRAMS.stream().allMatch(Slurm::isThere), "SLURM is not installed");
    assumeTrue(System.getProperty("user.name").equals("root"), "its daemons start tasks as root");
    Slurm slurm = new Slurm(folder);
    try {
      slurm.startDaemons(InetAddress.getLocalHost().getHostName().replaceFirst("\\..*", ""));
    } catch (Throwable e) {
      slurm.close();
      throw e;
    }
    return slurm;
  }

  private static boolean isThere(String program) {
    return Stream.concat(
            Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)), Stream.of("/usr/sbin"))
        .anyMatch(bin -> Files.isExecutable(Path.of(bin, program)));
  }

  private void startDaemons(String host) throws Exception {
    byte[] secret = new byte[64];
    new Random().nextBytes(secret);
    Path key = Files.write(folder.resolve("key"), secret);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("r--------"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectory(folder.resolve("state"));
    Files.writeString(folder.resolve("slurm.conf"), configuration(host));
    List<String> munged = new ArrayList<>(List.of("munged", "--foreground", "--force"));
    for (String file : List.of("key-file=key", "socket=socket", "pid-file=pid", "seed-file=seed")) {
      munged.add("--" + file.replace("=", "=" + folder + "/"));
    }
    start(munged, "munged");
    awaitSuccess(List.of("munge", "-n", "-S", folder.resolve("socket").toString()));
    start(List.of("slurmctld", "-D", "-f", configurationFile()), "slurmctld");
    awaitSuccess(List.of("scontrol", "ping"));
    start(List.of("slurmd", "-D", "-f", configurationFile()), "slurmd");
    awaitSuccess(List.of("sh", "-c", "sinfo -h -o '%T %E' | tee /dev/stderr | grep -q ^idle"));
  }

  private String configuration(String host) throws Exception {
    return """
    ClusterName=one
    SlurmctldHost=%1$s(127.0.0.1)
    SlurmctldPort=%2$d
    SlurmdPort=%3$d
    SlurmUser=root
    SlurmdUser=root
    AuthInfo=socket=%4$s/socket
    StateSaveLocation=%4$s/state
    SlurmdSpoolDir=%4$s/spool
    SlurmctldPidFile=%4$s/slurmctld.pid
    SlurmdPidFile=%4$s/slurmd.pid
    ProctrackType=proctrack/linuxproc
    TaskPlugin=task/none
    SelectType=select/cons_tres
    SlurmdParameters=config_overrides
    NodeName=%1$s NodeAddr=127.0.0.1 CPUs=4
    PartitionName=all Nodes=%1$s Default=YES
    """
        .formatted(host, FreePort.choose(), FreePort.choose(), folder);
  }

  private String configurationFile() {
    return folder.resolve("slurm.conf").toString();
  }

  /** Repeats a question to a daemon that is starting. */
  private void awaitSuccess(List<String> question) throws Exception {
    long start = System.nanoTime();
    while (start(question, "question").waitFor() != 0) {
      started.remove(started.size() - 1);
      assertTrue(started.stream().allMatch(Process::isAlive), this::logs);
      assertTrue(System.nanoTime() - start < DAEMON_STARTS.toNanos(), this::logs);
      Thread.sleep(20);
    }
    started.remove(started.size() - 1);
  }

  private Process start(List<String> command, String log) throws Exception {
    Process process =
        command(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve(log + ".log").toFile()))
            .start();
    started.add(process);
    return process;
  }

  /** A command of its users, such as srun. */
  public ProcessBuilder command(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.matches("(GLOO|OMPI|PMI|SLURM).*|RANK"));
    builder.environment().put("SLURM_CONF", configurationFile());
    builder.environment().merge("PATH", "/usr/sbin", (path, bin) -> path + ":" + bin);
    return builder;
  }

  /** What the daemons have said. */
  public String logs() {
    StringBuilder text = new StringBuilder();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.log")) {
      for (Path file : files) {
        text.append(file).append('\n').append(Files.readString(file));
      }
    } catch (IOException e) {
      text.append(e);
    }
    return text.toString();
  }

  /** Ends the daemons. */
  @Override
  public void close() {
    for (int i = started.size() - 1; i >= 0; i--) {
      started.get(i).destroy();
      started.get(i).onExit().join();
    }
  }
}
