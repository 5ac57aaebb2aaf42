package io.jgloo.rendezvous.launch;

import io.jgloo.rendezvous.address.HostPort;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;

/** The launchers that are known, in the order in which they are tried. */
public enum Launcher {
  /** Variables of our own. */
  GLOO("GLOO_RANK", "GLOO_RANK", "GLOO_SIZE") {
    @Override
    public boolean isPresent(Environment environment) {
      return environment.has("GLOO_RANK") || environment.has("GLOO_SIZE");
    }

    @Override
    String storeUrl(Environment environment) {
      environment.missing(STORE_VARIABLES);
      return "";
    }
  },

  /** PyTorch's torchrun, and programs that set its variables. */
  TORCHRUN("torchrun", "RANK", "WORLD_SIZE") {
    @Override
    String storeUrl(Environment environment) {
      String address = environment.text("MASTER_ADDR");
      int port = environment.number("MASTER_PORT");
      // The agent that started us serves the store at that port, for all ranks.
      boolean served = environment.find("TORCHELASTIC_USE_AGENT_STORE").equals(Optional.of("True"));
      return address.isEmpty() ? "" : tcp(address, port) + (served ? "?serve=no&auth=no" : "");
    }

    @Override
    public long epoch(Environment environment) {
      return environment.has("TORCHELASTIC_RESTART_COUNT")
          ? environment.number(Long.MAX_VALUE, "TORCHELASTIC_RESTART_COUNT")
          : 0;
    }
  },

  /** Open MPI's mpirun. */
  OPEN_MPI("Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE") {
    @Override
    String storeUrl(Environment environment) {
      int here = environment.number("OMPI_COMM_WORLD_LOCAL_SIZE");
      // A directory that mpirun has made for this job and removes after it.
      Optional<String> directory = environment.find("PMIX_SERVER_TMPDIR");
      Optional<String> job = environment.find("PMIX_NAMESPACE");
      boolean oneHost = here == environment.number("OMPI_COMM_WORLD_SIZE");
      if (oneHost && directory.isPresent() && job.isPresent()) {
        return "file://" + directory.get() + "/jgloo-" + job.get();
      }
      environment.missing(STORE_VARIABLES);
      return "";
    }
  },

  /** MPICH's Hydra, Intel MPI, and other launchers that speak PMI. */
  PMI("PMI", "PMI_RANK", "PMI_SIZE") {
    @Override
    String storeUrl(Environment environment) {
      environment.missing(STORE_VARIABLES);
      return "";
    }
  },

  /** SLURM's srun; not the batch script, which is no task of a step. */
  SLURM("SLURM", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS") {
    @Override
    public boolean isPresent(Environment environment) {
      return super.isPresent(environment)
          && (environment.has("SLURM_STEP_ID") || environment.has("SLURM_STEPID"));
    }

    @Override
    String storeUrl(Environment environment) {
      String nodes =
          environment.text("SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST");
      String job = environment.text("SLURM_JOB_ID", "SLURM_JOBID");
      String step = environment.text("SLURM_STEP_ID", "SLURM_STEPID");
      return nodes.isEmpty() || job.isEmpty()
          ? ""
          : tcp(SlurmNodeList.expand(nodes).get(0), port(job + "." + step));
    }
  },

  /** A Kubernetes Job with completionMode Indexed, whose pods a headless service names. */
  INDEXED_JOB("a Kubernetes Indexed Job", "JOB_COMPLETION_INDEX", "WORLD_SIZE", "GLOO_SIZE") {
    @Override
    String storeUrl(Environment environment) {
      String pod = environment.text("HOSTNAME");
      String service = environment.text("GLOO_SERVICE", "MASTER_ADDR");
      String own = "-" + environment.number("JOB_COMPLETION_INDEX");
      if (pod.isEmpty() || service.isEmpty()) {
        return "";
      }
      if (!pod.endsWith(own)) {
        throw new IllegalStateException(
            "HOSTNAME must end in " + own + ", as JOB_COMPLETION_INDEX; it is " + pod);
      }
      String job = pod.substring(0, pod.length() - own.length());
      return tcp(job + "-0." + service, DEFAULT_PORT);
    }
  };

  private static final String STORE_VARIABLES = "GLOO_STORE (or MASTER_ADDR and MASTER_PORT)";
  private static final int DEFAULT_PORT = 29_500; // PyTorch's

  // If no variable sets the port: below the ephemeral ports of most systems, from 32768 on.
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 12_000;

  private final String text;
  private final String rankName;
  private final String sizeName;
  private final String otherSizeName;

  Launcher(String text, String rankName, String sizeName) {
    this(text, rankName, sizeName, sizeName);
  }

  Launcher(String text, String rankName, String sizeName, String otherSizeName) {
    this.text = text;
    this.rankName = rankName;
    this.sizeName = sizeName;
    this.otherSizeName = otherSizeName;
  }

  /** Whether this launcher has started the process. */
  public boolean isPresent(Environment environment) {
    return environment.has(rankName);
  }

  /** URL of the store if neither GLOO_STORE nor MASTER_ADDR is set. */
  abstract String storeUrl(Environment environment);

  public long epoch(Environment environment) {
    return environment.has("GLOO_EPOCH") ? environment.number(Long.MAX_VALUE, "GLOO_EPOCH") : 0;
  }

  /** The rank of this process; a missing variable is noted in the environment. */
  public int rank(Environment environment) {
    return environment.number(rankName);
  }

  public int size(Environment environment) {
    return sizeName.equals(otherSizeName)
        ? environment.number(sizeName)
        : environment.number(sizeName, otherSizeName);
  }

  /** URL of the store, by the variables for all launchers or by this one's. */
  public String store(Environment environment) {
    Optional<String> url = environment.find("GLOO_STORE");
    if (url.isPresent()) {
      return url.get();
    }
    boolean master = environment.has("MASTER_ADDR") && this != TORCHRUN;
    if (master && (environment.has("MASTER_PORT") || this == INDEXED_JOB || this == SLURM)) {
      return tcp(environment.text("MASTER_ADDR"), masterPort(environment));
    }
    return storeUrl(environment);
  }

  private int masterPort(Environment environment) {
    if (this == SLURM && !environment.has("MASTER_PORT")) {
      return port(
          environment.text("SLURM_JOB_ID", "SLURM_JOBID")
              + "."
              + environment.text("SLURM_STEP_ID", "SLURM_STEPID"));
    }
    return environment.has("MASTER_PORT") ? environment.number("MASTER_PORT") : DEFAULT_PORT;
  }

  private static String tcp(String host, int port) {
    return "tcp://" + new HostPort(host, port);
  }

  /** A port that all tasks of a job step compute alike. */
  private static int port(String step) {
    CRC32C hash = new CRC32C();
    hash.update(step.getBytes(StandardCharsets.UTF_8));
    return FIRST_PORT + (int) (hash.getValue() % PORTS);
  }

  @Override
  public String toString() {
    return text;
  }
}
