package io.jgloo.rendezvous.store.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.SizeTPointer;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.ByteVector;
import org.bytedeco.pytorch.FileStore;
import org.bytedeco.pytorch.PrefixStore;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.StringVector;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;
import org.bytedeco.pytorch.presets.torch;

/**
 * A store of PyTorch's, spoken to through its Java bindings, in Java's types.
 *
 * <p>Threads: as PyTorch's, whose handles do one operation at a time. Owns: the native object.
 * Fails: {@link RuntimeException} with PyTorch's message.
 */
public final class GenuineStore implements AutoCloseable {
  private static final int VECTOR_BYTES = 24; // a std::vector: begin, end, end of capacity

  static {
    // Else the binding frees native objects when the collector finds their Java halves, at any time
    // and in a thread of its own, which corrupts the native heap.
    System.setProperty("org.bytedeco.javacpp.nopointergc", "true");
    unpack();
  }

  private final Store store;

  private GenuineStore(Store store) {
    this.store = store;
  }

  /**
   * Unpacks all of PyTorch before any of it is loaded: a {@code libtorch.so} that does not find its
   * parts beside it takes those of a PyTorch that the system has, and the JVM crashes.
   */
  private static void unpack() {
    try {
      Loader.cacheResource(torch.class, "/org/bytedeco/pytorch/" + Loader.getPlatform() + "/");
    } catch (IOException e) {
      throw new UncheckedIOException("PyTorch's libraries cannot be unpacked", e);
    }
  }

  /** A server on a port of the system's choice, and its own client. */
  public static GenuineStore serve(boolean libuv) {
    return tcp(0, true, libuv, 0, Duration.ofSeconds(60));
  }

  /** A client of a server on this machine. */
  public static GenuineStore connect(int port, Duration timeout) {
    return tcp(port, false, true, 0, timeout);
  }

  /**
   * Either end.
   *
   * @param workers how many processes the server waits for in its constructor, 0 for none
   */
  public static GenuineStore tcp(
      int port, boolean server, boolean libuv, int workers, Duration timeout) {
    try (TCPStoreOptions options = new TCPStoreOptions();
        SizeTPointer count = new SizeTPointer(1)) {
      options.port((short) port).isServer(server).useLibUV(libuv).waitWorkers(workers > 0);
      options.timeout(new Milliseconds(timeout.toMillis()));
      if (workers > 0) {
        options.numWorkers(count.put(workers));
      }
      return new GenuineStore(new TCPStore("127.0.0.1", options));
    }
  }

  public static GenuineStore file(String path, int workers) {
    return new GenuineStore(new FileStore(path, workers));
  }

  /** A name space of this store. */
  public GenuineStore prefixed(String prefix) {
    return new GenuineStore(new PrefixStore(prefix, store));
  }

  /** A second handle with a connection of its own. */
  public GenuineStore copy() {
    return new GenuineStore(store.clone());
  }

  /** PyTorch's own object, for its process groups. */
  public Store unwrap() {
    return store;
  }

  public int port() {
    return ((TCPStore) store).getPort() & 0xffff;
  }

  public void timeout(Duration timeout) {
    store.setTimeout(new Milliseconds(timeout.toMillis()));
  }

  public void set(String key, String value) {
    set(key, value.getBytes(UTF_8));
  }

  public void set(String key, byte[] value) {
    try (ByteVector bytes = vector(value)) {
      store.set(key, bytes);
    }
  }

  /** A set whose bytes go out in two pieces, as PyTorch's own tests send one. */
  public void splitSet(String key, byte[] value) {
    try (ByteVector bytes = vector(value)) {
      ((TCPStore) store)._splitSet(key, bytes);
    }
  }

  public String get(String key) {
    return new String(getBytes(key), UTF_8);
  }

  public byte[] getBytes(String key) {
    return bytes(store.get(key));
  }

  public long add(String key, long delta) {
    return store.add(key, delta);
  }

  public String compareSet(String key, String expected, String desired) {
    try (ByteVector old = vector(expected.getBytes(UTF_8));
        ByteVector fresh = vector(desired.getBytes(UTF_8))) {
      return new String(bytes(store.compareSet(key, old, fresh)), UTF_8);
    }
  }

  public boolean deleteKey(String key) {
    return store.deleteKey(key);
  }

  public boolean check(String... keys) {
    try (StringVector names = new StringVector(keys)) {
      return store.check(names);
    }
  }

  public long numKeys() {
    return store.getNumKeys();
  }

  public void await(String... keys) {
    try (StringVector names = new StringVector(keys)) {
      store._wait(names);
    }
  }

  public void await(Duration timeout, String... keys) {
    try (StringVector names = new StringVector(keys);
        Milliseconds millis = new Milliseconds(timeout.toMillis())) {
      store._wait(names, millis);
    }
  }

  public void append(String key, String value) {
    try (ByteVector bytes = vector(value.getBytes(UTF_8))) {
      store.append(key, bytes);
    }
  }

  public List<String> multiGet(String... keys) {
    List<String> values = new ArrayList<>();
    try (StringVector names = new StringVector(keys)) {
      ByteVector all = store.multiGet(names); // an array of vectors, as long as its limit
      for (long i = 0; i < keys.length; i++) {
        values.add(new String(bytes(all.getPointer(ByteVector.class, i)), UTF_8));
      }
    }
    return values;
  }

  /** Sets each key to the value that follows it. */
  public void multiSet(String... keysAndValues) {
    int count = keysAndValues.length / 2;
    String[] keys = new String[count];
    List<ByteVector> values = new ArrayList<>();
    try (BytePointer array = new BytePointer((long) VECTOR_BYTES * count)) {
      for (int i = 0; i < count; i++) {
        keys[i] = keysAndValues[2 * i];
        ByteVector value = vector(keysAndValues[2 * i + 1].getBytes(UTF_8));
        values.add(value);
        // The binding takes an array of vectors; its elements are read and not kept.
        Pointer.memcpy(array.getPointer((long) VECTOR_BYTES * i), value, VECTOR_BYTES);
      }
      try (StringVector names = new StringVector(keys)) {
        store.multiSet(names, new ByteVector(array.limit(count)));
      }
    } finally {
      values.forEach(ByteVector::close);
    }
  }

  public void queuePush(String key, String value) {
    try (ByteVector bytes = vector(value.getBytes(UTF_8))) {
      store.queuePush(key, bytes);
    }
  }

  public String queuePop(String key, boolean block) {
    return new String(bytes(store.queuePop(key, block)), UTF_8);
  }

  public long queueLen(String key) {
    return store.queueLen(key);
  }

  public List<String> listKeys() {
    List<String> keys = new ArrayList<>();
    try (StringVector all = store.listKeys()) {
      for (BytePointer key : all.get()) {
        keys.add(key.getString(UTF_8));
      }
    }
    return keys;
  }

  @Override
  public void close() {
    store.close();
  }

  private static ByteVector vector(byte[] bytes) {
    ByteVector vector = new ByteVector(bytes.length);
    if (bytes.length > 0) {
      Pointer.memcpy(begin(vector), new BytePointer(bytes), bytes.length);
    }
    return vector;
  }

  private static byte[] bytes(ByteVector vector) {
    byte[] bytes = new byte[(int) vector.size()];
    if (bytes.length > 0) {
      begin(vector).get(bytes);
    }
    return bytes;
  }

  /** The vector's own bytes; element by element 8 MiB would take seconds. */
  private static BytePointer begin(ByteVector vector) {
    Pointer first = new org.bytedeco.javacpp.PointerPointer<>(vector).get(0);
    return new BytePointer(first).capacity(vector.size());
  }
}
