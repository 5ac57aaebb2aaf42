package io.jgloo.build;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.io.IOException;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The floors of docs/design/architecture.md: who may know whom. */
@Timeout(300)
final class FloorsTest {

  private static final String FACADE = "io.jgloo";
  private static final String COLLECTIVES = "io.jgloo.collectives..";
  private static final String RENDEZVOUS = "io.jgloo.rendezvous..";
  private static final String TRANSPORT = "io.jgloo.transport..";
  private static final String SHM = "io.jgloo.transport.shm";
  private static final String STREAM = "io.jgloo.transport.tcp.stream";
  private static final String CONNECT = "io.jgloo.transport.tcp.connect";
  private static final String RPC = "io.jgloo.rpc..";
  private static final String PS = "io.jgloo.ps..";
  private static final String BENCH = "io.jgloo.bench..";

  @TempDir private Path folder;

  static Stream<Floor> floors() {
    return Stream.of(layers(), messages(), parameterServer(), librariesOutside(), habits())
        .flatMap(List::stream);
  }

  private static List<Floor> layers() {
    return List.of(
        Floor.of(
            "no two packages depend on each other in a cycle",
            slices().assignedFrom(new OwnClasses.ByPackage()).should().beFreeOfCycles(),
            "package io.jgloo.a; public class A { io.jgloo.b.B b; }",
            "package io.jgloo.b; public class B { io.jgloo.c.C c; }",
            "package io.jgloo.c; public class C { io.jgloo.a.A a; }"),
        unknown(
            "transport knows nothing above it",
            TRANSPORT,
            FACADE,
            COLLECTIVES,
            RENDEZVOUS,
            RPC,
            PS,
            BENCH),
        unknown(
            "sockets know no connection's owner",
            "io.jgloo.transport.tcp.socket",
            "io.jgloo.transport.tcp",
            CONNECT,
            STREAM,
            SHM),
        unknown(
            "frames know no stream",
            "io.jgloo.transport.tcp.wire",
            "io.jgloo.transport.tcp",
            CONNECT,
            STREAM,
            SHM),
        unknown(
            "memory that ranks share knows no stream",
            SHM,
            "io.jgloo.transport.tcp",
            CONNECT,
            STREAM),
        unknown(
            "streams do not know how they were connected",
            STREAM,
            "io.jgloo.transport.tcp",
            CONNECT),
        unknown("what connects does not know the device", CONNECT, "io.jgloo.transport.tcp"),
        Floor.of(
            "no two classes of the device depend on each other in a cycle",
            slices()
                .assignedFrom(new OwnClasses.ByClass("io.jgloo.transport.tcp"))
                .should()
                .beFreeOfCycles(),
            "package io.jgloo.transport.tcp; class Attributes { Device device; }",
            "package io.jgloo.transport.tcp; class Device { Attributes attributes; }"),
        unknown("rendezvous knows only transport", RENDEZVOUS, FACADE, COLLECTIVES, RPC, PS, BENCH),
        unknown("algorithms do not know rendezvous", COLLECTIVES, RENDEZVOUS),
        Floor.of(
            "no library knows the bench",
            noClasses()
                .that()
                .resideOutsideOfPackage(BENCH)
                .should()
                .dependOnClassesThat(resideInAnyPackage(BENCH)),
            "package io.jgloo.bench; public class Timer {}",
            "package io.jgloo; class Planted { io.jgloo.bench.Timer timer; }"),
        Floor.of(
            "hidden packages are used by their own module only",
            noClasses().should(UseHidden.inOtherModules(OwnClasses.modules())),
            "package io.jgloo.rendezvous.launch; public class Hidden {}",
            "package io.jgloo; class Planted { io.jgloo.rendezvous.launch.Hidden hidden; }"));
  }

  private static List<Floor> messages() {
    return List.of(
        unknown("rpc knows only transport and rendezvous", RPC, FACADE, COLLECTIVES, PS, BENCH),
        unknown(
            "ps uses messages, not calls or collectives",
            PS,
            FACADE,
            COLLECTIVES,
            "io.jgloo.rpc",
            "io.jgloo.rpc.rref..",
            BENCH),
        unknown(
            "messages know no rpc",
            "io.jgloo.rpc.message..",
            "io.jgloo.rpc",
            "io.jgloo.rpc.rref.."),
        unknown("collectives know no rpc", COLLECTIVES, RPC, PS));
  }

  private static List<Floor> parameterServer() {
    return List.of(
        unknown(
            "nodes of a parameter server know no keys",
            "io.jgloo.ps.node",
            "io.jgloo.ps.kv",
            "io.jgloo.ps.store",
            "io.jgloo.ps.handle",
            "io.jgloo.ps.wire",
            "io.jgloo.ps.membership"),
        unknown(
            "handles know no messages",
            "io.jgloo.ps.handle",
            "io.jgloo.ps.wire",
            "io.jgloo.ps.membership",
            "io.jgloo.ps.server",
            "io.jgloo.ps.client"),
        unknown(
            "messages of a parameter server know neither side",
            "io.jgloo.ps.wire",
            "io.jgloo.ps.handle",
            "io.jgloo.ps.membership",
            "io.jgloo.ps.server",
            "io.jgloo.ps.client"),
        unknown(
            "the server's side does not know the worker's",
            "io.jgloo.ps.server",
            "io.jgloo.ps",
            "io.jgloo.ps.client"),
        unknown(
            "the worker's side does not know the server's",
            "io.jgloo.ps.client",
            "io.jgloo.ps",
            "io.jgloo.ps.handle",
            "io.jgloo.ps.server"));
  }

  private static List<Floor> librariesOutside() {
    return List.of(
        Floor.of(
            "JNA is known to ibverbs alone",
            noClasses()
                .that()
                .resideOutsideOfPackage("io.jgloo.transport.ibverbs..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("com.sun.jna..")),
            "package io.jgloo.transport.shm; class Planted { com.sun.jna.Pointer pointer; }"),
        Floor.of(
            "Netty is known where TCP is spoken",
            noClasses()
                .that()
                .resideOutsideOfPackages(
                    "io.jgloo.transport.tcp..",
                    "io.jgloo.transport.tls..",
                    "io.jgloo.rendezvous.store.tcp..",
                    BENCH)
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.netty..")),
            "package io.jgloo.transport.engine; class Planted { io.netty.buffer.ByteBuf bytes; }"),
        Floor.of(
            "algorithms know no sockets",
            noClasses()
                .that()
                .resideInAnyPackage(FACADE, COLLECTIVES)
                .should()
                .dependOnClassesThat(describe("are sockets or channels", FloorsTest::isSocket)),
            "package io.jgloo.collectives; class Planted { java.net.ServerSocket socket; }"));
  }

  private static List<Floor> habits() {
    return List.of(
        Floor.of(
            "static fields are final",
            fields()
                .that()
                .areStatic()
                .and()
                .doNotHaveFullName("io.jgloo.transport.memory.Memory.guard") // set by tests
                .should()
                .beFinal(),
            "package io.jgloo; class Planted { static int calls; }"),
        Floor.of(
            "nothing is local to a thread",
            noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ThreadLocal.class)
                .orShould()
                .dependOnClassesThat()
                .haveSimpleName("FastThreadLocal"),
            "package io.jgloo; class Planted { Object o = new ThreadLocal<String>(); }"),
        Floor.of(
            "libraries do not end the process",
            noClasses()
                .that()
                .resideOutsideOfPackage(BENCH)
                .should()
                .callMethod(System.class, "exit", int.class),
            "package io.jgloo; class Planted { void end() { System.exit(1); } }"),
        Floor.of(
            "timeouts do not depend on the time of day",
            noClasses()
                .that()
                .resideOutsideOfPackage(BENCH)
                .and()
                .doNotHaveFullyQualifiedName(
                    "io.jgloo.transport.tls.TlsContext") // certificates end
                .and()
                .doNotHaveFullyQualifiedName(
                    "io.jgloo.collectives.execution.CallDump") // as in logs
                .should()
                .callCodeUnitWhere(describe("tell the time of day", FloorsTest::isTimeOfDay)),
            "package io.jgloo; class Planted { Object o = java.time.Instant.now(); }"),
        Floor.of(
            "libraries do not print",
            noClasses()
                .that()
                .resideOutsideOfPackage(BENCH)
                .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS),
            "package io.jgloo; class Planted { void say() { System.out.println(1); } }"),
        Floor.of(
            "a class name says what the class is",
            noClasses()
                .should()
                .haveNameMatching(".*(Utils?|Helpers?|Manager|Impl|Base|Data|Info|Common)"),
            "package io.jgloo; class PlantedManager {}"));
  }

  /** Planted for it: a class on the floor that knows one of the first package above. */
  private static Floor unknown(String name, String floor, String... above) {
    for (String known : above) {
      assertTrue(OwnClasses.all().containPackage(known.replace("..", "")), known);
    }
    String lower = floor.replace("..", "");
    String upper = above[0].replace("..", "");
    ArchRule rule =
        noClasses()
            .that()
            .resideInAPackage(floor)
            .should()
            .dependOnClassesThat(resideInAnyPackage(above));
    return Floor.of(
        name,
        rule,
        "package " + upper + "; public class Above {}",
        "package " + lower + "; class Planted { " + upper + ".Above above; }");
  }

  private static boolean isTimeOfDay(JavaCall<?> call) {
    String method = call.getTarget().getName();
    return call.getTargetOwner().getPackageName().equals("java.time")
        ? method.equals("now") || method.startsWith("system")
        : method.equals("currentTimeMillis");
  }

  private static boolean isSocket(JavaClass type) {
    return type.getPackageName().equals("java.nio.channels")
        || (type.getPackageName().equals("java.net") && type.getSimpleName().contains("Socket"));
  }

  @ParameterizedTest
  @MethodSource("floors")
  void holds(Floor floor) {
    floor.rule().check(OwnClasses.all());
  }

  @Test
  void eachFailsOnItsPlantedViolation() throws IOException {
    for (Floor floor : floors().toList()) {
      Path classes = Files.createDirectory(folder.resolve("floor-" + floor.name().hashCode()));
      Planted.compile(classes, floor.planted().toArray(String[]::new));
      JavaClasses planted = new ClassFileImporter().importPath(classes);
      assertThrows(AssertionError.class, () -> floor.rule().check(planted), floor.name());
    }
  }

  /** A rule over no classes holds too: this test shows that all packages are read. */
  @Test
  void classesOfEachModuleAreRead() {
    for (ModuleReference module : OwnClasses.modules()) {
      for (String name : module.descriptor().packages()) {
        assertTrue(OwnClasses.all().containPackage(name), name);
      }
    }
    assertTrue(OwnClasses.all().containPackage("io.jgloo.bench"));
  }
}
