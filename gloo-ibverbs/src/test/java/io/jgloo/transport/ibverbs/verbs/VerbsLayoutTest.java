package io.jgloo.transport.ibverbs.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.memory.Memory;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every offset and code of this package against the C header, where there is one to compile. */
@Timeout(120)
final class VerbsLayoutTest {

  private static final Map<String, Integer> HEADER = new TreeMap<>();

  @TempDir static Path directory;

  @BeforeAll
  static void askTheHeader() throws Exception {
    assumeTrue(
        Files.exists(Path.of("/usr/include/infiniband/verbs.h")), "no libibverbs-dev installed");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "no C compiler");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/make")), "no make");
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder("make", "-s", "-C", sources().toString(), "verbs-layout")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertTrue(process.waitFor(100, TimeUnit.SECONDS), "the compiler does not end");
    String printed = Files.readString(output, StandardCharsets.UTF_8);
    assertEquals(0, process.exitValue(), printed);
    printed
        .lines()
        .map(line -> line.split(" ", 2))
        .forEach(pair -> HEADER.put(pair[0], Integer.valueOf(pair[1])));
  }

  /** The folder native/, from a module's folder or from the root. */
  private static Path sources() {
    Path here = Path.of("native").toAbsolutePath();
    return Files.isDirectory(here) ? here : Path.of("../native").toAbsolutePath();
  }

  @Test
  void offsetsAreTheHeaders() throws IllegalAccessException {
    Map<String, Integer> ours = new TreeMap<>();
    for (Field field : Layout.class.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
        ours.put(field.getName(), field.getInt(null));
      }
    }
    Map<String, Integer> theirs = new TreeMap<>(HEADER);
    theirs.keySet().removeIf(name -> name.contains("."));
    assertEquals(theirs, ours);
  }

  @Test
  void codesAreTheHeaders() throws ReflectiveOperationException {
    for (Map.Entry<String, Integer> code : HEADER.entrySet()) {
      String[] name = code.getKey().split("\\.", 2);
      if (name.length == 2 && !name[0].equals(name[0].toUpperCase(Locale.ROOT))) {
        Class<?> type = Class.forName(Layout.class.getPackageName() + "." + name[0]);
        Field field = type.getDeclaredField(name[1]);
        field.setAccessible(true);
        assertEquals(code.getValue(), field.getInt(null), code.getKey());
      } else if (name[0].equals("STATUS")) {
        assertEquals(code.getValue(), WorkStatus.valueOf(name[1]).code(), code.getKey());
      }
    }
  }

  @Test
  void aSendIsWrittenAsTheHeaderReadsIt() {
    try (Scratch work = Scratch.of(SendWork.BYTES)) {
      long at = work.at();
      SendWork.write(at, 1L << 60 | 1, 2, 3, 4, 1L << 60 | 5, 6, 7);
      SendWork.remote(at, 1L << 60 | 8, 9);
      assertEquals(1L << 60 | 1, Memory.getLong(at + header("SEND.id")));
      assertEquals(0, Memory.getLong(at + header("SEND.next")));
      assertEquals(1, Memory.getInt(at + header("SEND.count")));
      assertEquals(2, Memory.getInt(at + header("SEND.opcode")));
      assertEquals(3, Memory.getInt(at + header("SEND.flags")));
      assertEquals(4, Memory.getInt(at + header("SEND.immediate")));
      assertEquals(1L << 60 | 8, Memory.getLong(at + header("SEND.remoteAddress")));
      assertEquals(9, Memory.getInt(at + header("SEND.remoteKey")));
      assertRange(at, header("SEND.bytes"), Memory.getLong(at + header("SEND.ranges")));
      SendWork.next(at, 4711);
      assertEquals(4711, Memory.getLong(at + header("SEND.next")));
    }
  }

  @Test
  void aReceiveIsWrittenAsTheHeaderReadsIt() {
    try (Scratch work = Scratch.of(ReceiveWork.BYTES)) {
      long at = work.at();
      ReceiveWork.write(at, 1L << 60 | 1, 1L << 60 | 5, 6, 7);
      assertEquals(1L << 60 | 1, Memory.getLong(at + header("RECEIVE.id")));
      assertEquals(0, Memory.getLong(at + header("RECEIVE.next")));
      assertEquals(1, Memory.getInt(at + header("RECEIVE.count")));
      assertRange(at, header("RECEIVE.bytes"), Memory.getLong(at + header("RECEIVE.ranges")));
      ReceiveWork.next(at, 4711);
      assertEquals(4711, Memory.getLong(at + header("RECEIVE.next")));
    }
  }

  private static void assertRange(long work, int bytes, long range) {
    assertTrue(range >= work + bytes, "the range lies within the request");
    assertEquals(1L << 60 | 5, Memory.getLong(range + header("RANGE.address")));
    assertEquals(6, Memory.getInt(range + header("RANGE.length")));
    assertEquals(7, Memory.getInt(range + header("RANGE.key")));
  }

  @Test
  void aCompletionIsReadAsTheHeaderWritesIt() {
    assertEquals(header("DONE.bytes"), Completion.BYTES);
    try (Scratch entry = Scratch.of(Completion.BYTES)) {
      long at = entry.at();
      Memory.putLong(at + header("DONE.id"), 1L << 60 | 1);
      Memory.putInt(at + header("DONE.status"), 2);
      Memory.putInt(at + header("DONE.opcode"), 3);
      Memory.putInt(at + header("DONE.vendorError"), 4);
      Memory.putInt(at + header("DONE.length"), 5);
      Memory.putInt(at + header("DONE.immediate"), 6);
      Memory.putInt(at + header("DONE.pair"), 7);
      assertEquals(1L << 60 | 1, Completion.id(at));
      assertEquals(2, Completion.status(at));
      assertEquals(3, Completion.opcode(at));
      assertEquals(4, Completion.vendorError(at));
      assertEquals(5, Completion.length(at));
      assertEquals(6, Completion.immediate(at));
      assertEquals(7, Completion.pairNumber(at));
    }
  }

  private static int header(String name) {
    return HEADER.get(name);
  }
}
