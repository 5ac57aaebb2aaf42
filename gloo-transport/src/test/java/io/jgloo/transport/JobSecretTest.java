package io.jgloo.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a job secret comes from, and what is derived from it. */
@Timeout(60)
class JobSecretTest {

  private static final String TEXT = "correct horse battery staple";
  private static final byte[] PART = {1, 2, 3};

  @TempDir Path directory;

  private Path file(String content, String mode) throws IOException {
    Path file = Files.writeString(directory.resolve("secret"), content);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private static boolean isSame(JobSecret one, JobSecret other) {
    byte[] mac = one.key("use", "group", 3).mac(PART);
    return other.key("use", "group", 3).verifies(mac, PART);
  }

  @Test
  void fileVariableAndBytesGiveTheSameSecret() throws IOException {
    JobSecret secret = JobSecret.of(TEXT.getBytes(UTF_8));
    String name = file(TEXT + "\n", "rw-------").toString();
    assertTrue(isSame(secret, JobSecret.read(Path.of(name))));
    assertTrue(isSame(secret, fromEnvironment(Map.of("GLOO_SECRET", TEXT))));
    assertTrue(isSame(secret, fromEnvironment(Map.of("GLOO_SECRET_FILE", name))));
    DeviceOptions options = DeviceOptions.DEFAULTS.with("secret-file", name);
    assertTrue(isSame(secret, options.secret().orElseThrow()));
    assertTrue(isSame(secret, DeviceOptions.DEFAULTS.withSecret(secret).secret().orElseThrow()));
    assertEquals(Optional.empty(), JobSecret.fromEnvironment(Map.of("GLOO_SECRET", "")));
    assertEquals(Optional.empty(), DeviceOptions.DEFAULTS.secret());
  }

  private static JobSecret fromEnvironment(Map<String, String> variables) {
    return JobSecret.fromEnvironment(variables).orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw-----w-", "rw----r--", "rw-rw----"})
  void fileThatOthersMayAccess_isRefused(String mode) throws IOException {
    Path file = file(TEXT, mode);
    boolean asRoot = (int) Files.getAttribute(file, "unix:uid") == 0;
    if (asRoot && mode.equals("rw-r-----")) {
      assertTrue(isSame(JobSecret.read(file), JobSecret.of(TEXT.getBytes(UTF_8))));
      return;
    }
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> JobSecret.read(file));
    assertTrue(refusal.getMessage().contains("must not be accessible by others"));
  }

  @Test
  void directoryAndMissingFile_areRefused() {
    assertThrows(IllegalArgumentException.class, () -> JobSecret.read(directory));
    assertThrows(UnavailableException.class, () -> JobSecret.read(directory.resolve("none")));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 15, 4097})
  void lengthOutOfRange_isRefusedWithoutTheSecret(int length) throws IOException {
    Path file = file("x".repeat(length), "rw-------");
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> JobSecret.read(file));
    assertTrue(refusal.getMessage().contains(file + " must be 16 to 4096 bytes"));
    assertFalse(refusal.getMessage().contains("xx"));
  }

  @Test
  void bothVariables_areRefused() {
    Map<String, String> both = Map.of("GLOO_SECRET", TEXT, "GLOO_SECRET_FILE", "/tmp/secret");
    assertThrows(IllegalArgumentException.class, () -> JobSecret.fromEnvironment(both));
  }

  @Test
  void keysDifferByUseGroupAndEpoch() {
    JobSecret secret = JobSecret.of(TEXT.getBytes(UTF_8));
    byte[] mac = secret.key("use", "group", 3).mac(PART);
    assertFalse(secret.key("use2", "group", 3).verifies(mac, PART));
    assertFalse(secret.key("useg", "roup", 3).verifies(mac, PART));
    assertFalse(secret.key("use", "group", 4).verifies(mac, PART));
    assertFalse(secret.key("use", "group", 3).verifies(mac, new byte[] {1, 2}, new byte[] {3}));
    assertFalse(isSame(secret, JobSecret.of((TEXT + ".").getBytes(UTF_8))));
    assertEquals(16, secret.jobId().length);
  }

  @Test
  void noTextContainsTheSecret() {
    JobSecret secret = JobSecret.of(TEXT.getBytes(UTF_8));
    DeviceOptions options = DeviceOptions.DEFAULTS.withSecret(secret);
    String all = secret + " " + secret.key("use", "group", 0) + " " + options;
    assertFalse(all.contains("horse"), all);
  }

  @Test
  void deviceThatDoesNotKnowSecrets_refusesThem() {
    DeviceOptions options = DeviceOptions.DEFAULTS.withSecret(JobSecret.of(TEXT.getBytes(UTF_8)));
    assertThrows(
        IllegalArgumentException.class, () -> options.refuseUnknown("other", Set.of("bind")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gloo", "gloo-classic"})
  void wiresOfGlooRefuseASecret(String wire) {
    DeviceOptions options =
        DeviceOptions.DEFAULTS.withSecret(JobSecret.of(TEXT.getBytes(UTF_8))).with("wire", wire);
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> Devices.open("tcp", options));
    assertTrue(refusal.getMessage().startsWith("a job secret is not supported with wire=" + wire));
  }
}
