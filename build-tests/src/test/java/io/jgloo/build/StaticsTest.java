package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** State that all groups of a process share is named here, field by field. */
@Timeout(180)
final class StaticsTest {

  /** Mutable static fields, each with its reason. */
  private static final Map<String, String> KNOWN =
      Map.of(
          "io.jgloo.transport.tcp.DeviceLog.LOGGED",
          "a process logs once what the devices of its ranks have in common",
          "io.jgloo.CallDumps.HANDLED",
          "a signal has one handler in a process",
          "io.jgloo.CallDumps.OPEN",
          "a signal is for all groups of a process",
          "io.jgloo.collectives.execution.Pending.FUTURES",
          "runs the user's continuations of futures; its threads end when idle",
          "io.jgloo.rendezvous.store.file.DirectoryLock.LOCKS",
          "a lock of a file excludes other processes, not other threads of this one",
          "io.jgloo.transport.memory.Memory.ALLOCATED",
          "native memory belongs to the process; tests look for leaks by it",
          "io.jgloo.transport.memory.Memory.BLOCKS",
          "native memory belongs to the process; finds who freed a block twice",
          "io.jgloo.transport.tcp.connect.OpenFiles.RESERVED",
          "the limit of open files is the process's, whatever the number of meshes",
          "io.jgloo.transport.sim.Network.WORLDS",
          "numbers the simulated networks of a process");

  @TempDir private Path folder;

  @Test
  void mutableStatics_areTheNamedOnes() throws ReflectiveOperationException {
    assertEquals(
        new TreeSet<>(KNOWN.keySet()),
        mutableStatics(OwnClasses.all(), StaticsTest.class.getClassLoader()));
  }

  @Test
  void plantedMutableStatics_areFound() throws Exception {
    Path classes =
        Planted.compile(
            folder,
            "package p; class A { static final java.util.Map<String, A> M = new"
                + " java.util.HashMap<>(); }",
            "package p; class B { static final Object O = new"
                + " java.util.concurrent.atomic.AtomicInteger(); }",
            "package p; class C { static final java.util.List<String> L = java.util.List.of(); }");
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      JavaClasses planted = new ClassFileImporter().importPath(classes);
      assertEquals(Set.of("p.A.M", "p.B.O"), mutableStatics(planted, loader));
    }
  }

  /**
   * Static fields whose value can change: by the class of the value, as the type Map says nothing.
   * Arrays are left out: those of this project are tables of constants.
   */
  private static Set<String> mutableStatics(JavaClasses classes, ClassLoader loader)
      throws ReflectiveOperationException {
    Set<String> found = new TreeSet<>();
    for (var type : classes) {
      for (JavaField field : type.getFields()) {
        if (field.getModifiers().contains(JavaModifier.STATIC)
            && !field.getRawType().isPrimitive()
            && !field.getRawType().isArray()
            && !field.getRawType().isEquivalentTo(String.class)
            && isMutable(value(field, loader))) {
          found.add(field.getFullName());
        }
      }
    }
    return found;
  }

  private static Object value(JavaField field, ClassLoader loader)
      throws ReflectiveOperationException {
    Field reflected =
        Class.forName(field.getOwner().getName(), true, loader).getDeclaredField(field.getName());
    reflected.setAccessible(true);
    return reflected.get(null);
  }

  private static boolean isMutable(Object value) {
    if (value instanceof Map || value instanceof Collection) {
      String type = value.getClass().getName();
      return !type.startsWith("java.util.ImmutableCollections")
          && !type.startsWith("java.util.Collections$Unmodifiable")
          && !type.startsWith("java.util.Collections$Empty");
    }
    return value instanceof Lock
        || value instanceof Executor
        || value instanceof Thread
        || value instanceof StringBuilder
        || (value != null
            && value.getClass().getPackageName().equals("java.util.concurrent.atomic"));
  }
}
