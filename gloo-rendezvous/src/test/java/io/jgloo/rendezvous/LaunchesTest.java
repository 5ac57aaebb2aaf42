package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is made of every launcher's environment. */
final class LaunchesTest {
  private static Map<String, String> environment(String... assignments) {
    Map<String, String> variables = new TreeMap<>();
    for (String assignment : assignments) {
      int equals = assignment.indexOf('=');
      variables.put(assignment.substring(0, equals), assignment.substring(equals + 1));
    }
    return variables;
  }

  private static Launch detect(String... assignments) {
    return Launch.detect(environment(assignments));
  }

  private static void assertLaunch(Launch launch, String launcher, int rank, int size, String at) {
    assertEquals(launcher, launch.launcher());
    assertEquals(rank, launch.rank());
    assertEquals(size, launch.size());
    assertEquals(at, launch.store());
  }

  private static String refusal(String... assignments) {
    return assertThrows(IllegalStateException.class, () -> detect(assignments)).getMessage();
  }

  @Test
  void glooVariables_areRead() {
    Launch launch =
        detect(
            "GLOO_RANK=1",
            "GLOO_SIZE=4",
            "GLOO_STORE=file:///shared/x",
            "GLOO_SOCKET_IFNAME=eth0,eth1",
            "GLOO_TIMEOUT=90",
            "GLOO_EPOCH=2");
    assertLaunch(launch, "GLOO_RANK", 1, 4, "file:///shared/x");
    assertEquals(Optional.of("eth0"), launch.networkInterface());
    assertEquals(Optional.of(Duration.ofSeconds(90)), launch.timeout());
    assertEquals(2, launch.epoch());
    assertLaunch(
        detect("GLOO_RANK=0", "GLOO_SIZE=1", "MASTER_ADDR=h", "MASTER_PORT=7"),
        "GLOO_RANK",
        0,
        1,
        "tcp://h:7");
  }

  @Test
  void torchrunVariables_areRead() {
    assertLaunch(
        detect("RANK=2", "WORLD_SIZE=3", "MASTER_ADDR= [fd00::7] ", "MASTER_PORT=29501"),
        "torchrun",
        2,
        3,
        "tcp://[fd00::7]:29501");
    Launch restarted =
        detect(
            "RANK=0",
            "WORLD_SIZE=3",
            "MASTER_ADDR=node1",
            "MASTER_PORT=29501",
            "TORCHELASTIC_USE_AGENT_STORE=True",
            "TORCHELASTIC_RESTART_COUNT=4");
    assertLaunch(restarted, "torchrun", 0, 3, "tcp://node1:29501?serve=no&auth=no");
    assertEquals(4, restarted.epoch());
  }

  @Test
  void openMpiVariables_areRead() {
    String[] local = {
      "OMPI_COMM_WORLD_RANK=1",
      "OMPI_COMM_WORLD_SIZE=3",
      "OMPI_COMM_WORLD_LOCAL_SIZE=3",
      "PMIX_SERVER_TMPDIR=/tmp/ompi.x/pid.9",
      "PMIX_NAMESPACE=780",
      "PMIX_RANK=1"
    };
    assertLaunch(detect(local), "Open MPI", 1, 3, "file:///tmp/ompi.x/pid.9/jgloo-780");
    Map<String, String> wide = environment(local);
    wide.put("OMPI_COMM_WORLD_LOCAL_SIZE", "2");
    String message =
        assertThrows(IllegalStateException.class, () -> Launch.detect(wide)).getMessage();
    assertTrue(message.contains("Open MPI") && message.contains("GLOO_STORE"), message);
    wide.put("GLOO_STORE", "tcp://head:5000");
    assertLaunch(Launch.detect(wide), "Open MPI", 1, 3, "tcp://head:5000");
  }

  @Test
  void pmiVariables_areRead() {
    assertLaunch(
        detect("PMI_RANK=1", "PMI_SIZE=2", "MASTER_ADDR=h", "MASTER_PORT=9"),
        "PMI",
        1,
        2,
        "tcp://h:9");
    assertTrue(refusal("PMI_RANK=1", "PMI_SIZE=2").contains("GLOO_STORE"));
  }

  @Test
  void slurmVariables_areRead() {
    String[] task = {
      "SLURM_PROCID=5",
      "SLURM_NTASKS=16",
      "SLURM_STEP_NUM_TASKS=8",
      "SLURM_STEP_ID=0",
      "SLURM_JOB_ID=123456",
      "SLURM_STEP_NODELIST=gnode[08,10-12],x1"
    };
    Launch launch = detect(task);
    assertTrue(launch.store().matches("tcp://gnode08:(2\\d|3[01])\\d{3}"), launch.store());
    assertLaunch(launch, "SLURM", 5, 8, launch.store());
    Map<String, String> other = environment(task);
    other.put("SLURM_STEP_ID", "1");
    assertTrue(!Launch.detect(other).store().equals(launch.store()));
    other.put("MASTER_PORT", "4711");
    other.put("MASTER_ADDR", "ib-head");
    assertEquals("tcp://ib-head:4711", Launch.detect(other).store());
    String batch = refusal("SLURM_PROCID=0", "SLURM_NTASKS=4", "SLURM_JOB_ID=1");
    assertTrue(batch.contains("SLURM_STEP_ID"), batch);
  }

  @Test
  void indexedJobVariables_areRead() {
    assertLaunch(
        detect(
            "JOB_COMPLETION_INDEX=3",
            "WORLD_SIZE=4",
            "HOSTNAME=train-a-3",
            "GLOO_SERVICE=workers.ml.svc"),
        "a Kubernetes Indexed Job",
        3,
        4,
        "tcp://train-a-0.workers.ml.svc:29500");
    assertLaunch(
        detect(
            "JOB_COMPLETION_INDEX=3",
            "GLOO_SIZE=4",
            "GLOO_RANK=3",
            "MASTER_ADDR=h",
            "MASTER_PORT=1"),
        "GLOO_RANK",
        3,
        4,
        "tcp://h:1");
    String message = refusal("JOB_COMPLETION_INDEX=3");
    for (String name : List.of("WORLD_SIZE or GLOO_SIZE", "HOSTNAME", "GLOO_SERVICE")) {
      assertTrue(message.contains(name), message);
    }
    assertTrue(
        refusal("JOB_COMPLETION_INDEX=3", "WORLD_SIZE=4", "HOSTNAME=pod", "GLOO_SERVICE=s")
            .contains("HOSTNAME"));
  }

  @Test
  void missingVariables_areNamed() {
    String torchrun = refusal("RANK=1", "MASTER_ADDR= ");
    for (String name : List.of("torchrun", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")) {
      assertTrue(torchrun.contains(name), torchrun);
    }
    String gloo = refusal("GLOO_SIZE=3");
    assertTrue(gloo.contains("GLOO_RANK,") && gloo.contains("GLOO_STORE"), gloo);
    String none = refusal("PATH=/bin");
    assertTrue(none.contains("OMPI_COMM_WORLD_RANK") && none.contains("JOB_COMPLETION"), none);
  }

  @Test
  void contradictingLaunchers_areRefused() {
    String[] both = {
      "RANK=0",
      "WORLD_SIZE=2",
      "MASTER_ADDR=h",
      "MASTER_PORT=1",
      "OMPI_COMM_WORLD_RANK=1",
      "OMPI_COMM_WORLD_SIZE=2"
    };
    String message = refusal(both);
    assertTrue(message.contains("torchrun sets rank 0 of 2"), message);
    assertTrue(message.contains("Open MPI sets rank 1 of 2"), message);
    Map<String, String> chosen = environment(both);
    chosen.put("GLOO_LAUNCHER", "open_mpi");
    assertLaunch(Launch.detect(chosen), "Open MPI", 1, 2, "tcp://h:1");
    chosen.put("OMPI_COMM_WORLD_RANK", "0");
    chosen.remove("GLOO_LAUNCHER");
    assertLaunch(Launch.detect(chosen), "torchrun", 0, 2, "tcp://h:1");
    assertTrue(refusal("GLOO_LAUNCHER=pigeon").contains("pigeon"));
  }

  @Test
  void invalidValues_areRefused() {
    assertTrue(refusal("RANK=x", "WORLD_SIZE=2").contains("'x'"));
    assertTrue(refusal("RANK=-1", "WORLD_SIZE=2").contains("RANK"));
    String[] outside = {"RANK=2", "WORLD_SIZE=2", "MASTER_ADDR=h", "MASTER_PORT=1"};
    assertTrue(refusal(outside).contains("rank 2 of 2"));
  }
}
