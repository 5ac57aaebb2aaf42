package io.jgloo.transport.ibverbs.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.ibverbs.RdmaPort;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether there are verbs on this machine, and what is said if not. */
@Timeout(60)
final class VerbsLibraryTest {

  /** Where the kernel's RDMA shows, if it is built with it and the module is loaded. */
  private static final Path KERNEL = Path.of("/sys/class/infiniband_verbs");

  @Test
  void machineWithoutRdma_reportsWhatIsMissing() {
    assumeFalse(Files.isDirectory(KERNEL), "this machine has RDMA");
    String message = assertThrows(UnavailableException.class, VerbsLibrary::load).getMessage();
    assertTrue(
        message.contains(Libibverbs.FILE) || message.contains("(errno 38): the kernel has no RDMA"),
        message);
    String again = assertThrows(UnavailableException.class, VerbsLibrary::load).getMessage();
    assertEquals(message, again);
  }

  @Test
  void aDeviceThatIsNotThereIsNamed() throws VerbsException {
    RdmaPort port = RdmaPort.find();
    assertSame(port.verbs(), VerbsLibrary.load());
    VerbsException e =
        assertThrows(VerbsException.class, () -> port.verbs().open("no_such_device"));
    assertEquals(VerbsException.ENODEV, e.errno());
    assertTrue(
        e.getMessage().contains("no_such_device: No such device (errno 19)"), e.getMessage());
  }
}
