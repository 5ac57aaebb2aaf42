package io.jgloo.transport;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of a device to be opened, as text by name; each kind of device documents its own.
 *
 * <p>Immutable. A provider reads its attributes and then calls {@link #refuseUnknown}, so a
 * misspelt attribute is an error.
 */
public final class DeviceOptions {

  /** No attributes: everything by default. */
  public static final DeviceOptions DEFAULTS = new DeviceOptions(Map.of());

  private static final String SECRET_FILE = "secret-file";

  private final Map<String, String> attributes;
  private final @Nullable JobSecret secret;

  private DeviceOptions(Map<String, String> attributes) {
    this(attributes, null);
  }

  private DeviceOptions(Map<String, String> attributes, @Nullable JobSecret secret) {
    this.attributes = Map.copyOf(attributes);
    this.secret = secret;
  }

  public static DeviceOptions of(Map<String, String> attributes) {
    return new DeviceOptions(attributes);
  }

  /** These attributes and the secret of the job, in place of attribute {@code secret-file}. */
  public DeviceOptions withSecret(JobSecret secret) {
    Map<String, String> others = new LinkedHashMap<>(attributes);
    others.remove(SECRET_FILE);
    return new DeviceOptions(others, secret);
  }

  /**
   * The secret of the job: that of {@link #withSecret}, or the content of the file that attribute
   * {@code secret-file} names.
   *
   * @throws IllegalArgumentException as {@link JobSecret#read}
   * @throws UnavailableException as {@link JobSecret#read}
   */
  public Optional<JobSecret> secret() {
    String file = attributes.get(SECRET_FILE);
    return file == null ? Optional.ofNullable(secret) : Optional.of(JobSecret.read(Path.of(file)));
  }

  /** These attributes and one more (or changed). */
  public DeviceOptions with(String name, Object value) {
    Map<String, String> more = new LinkedHashMap<>(attributes);
    more.put(name, String.valueOf(value));
    return new DeviceOptions(more, name.equals(SECRET_FILE) ? null : secret);
  }

  /** All attributes that are set. */
  public Map<String, String> attributes() {
    return attributes;
  }

  /** The attribute's text, or the default. */
  public String get(String name, String byDefault) {
    return attributes.getOrDefault(name, byDefault);
  }

  /**
   * The attribute parsed, or the default.
   *
   * @throws IllegalArgumentException naming the attribute and its value if it cannot be parsed
   */
  public <T> T get(String name, T byDefault, Function<String, T> parser) {
    String text = attributes.get(name);
    if (text == null) {
      return byDefault;
    }
    try {
      return parser.apply(text);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "attribute " + name + " cannot be '" + text + "': " + e.getMessage(), e);
    }
  }

  /**
   * @throws IllegalArgumentException if there is an attribute that is not in this set, or a secret
   *     and {@code secret-file} is not
   */
  public void refuseUnknown(String device, Set<String> known) {
    if (secret != null && !known.contains(SECRET_FILE)) {
      throw new IllegalArgumentException("device " + device + " does not support a job secret");
    }
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      if (!known.contains(attribute.getKey())) {
        throw new IllegalArgumentException(
            ("device " + device + " has no attribute '" + attribute.getKey() + "'")
                + (" (value '" + attribute.getValue() + "'); its attributes are " + known));
      }
    }
  }

  @Override
  public String toString() {
    return attributes.toString();
  }
}
