package io.jgloo.build;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.io.IOException;
import java.lang.module.ModuleReference;
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
        Floor.of(
            "transport knows nothing above it",
            unknown(TRANSPORT, FACADE, COLLECTIVES, RENDEZVOUS, RPC, PS, BENCH),
            "package io.jgloo.transport.tcp; class Planted { io.jgloo.rendezvous.Context c; }"),
        Floor.of(
            "sockets know no connection's owner",
            unknown(
                "io.jgloo.transport.tcp.socket", "io.jgloo.transport.tcp", CONNECT, STREAM, SHM),
            "package io.jgloo.transport.tcp.stream; public class Stream {}",
            "package io.jgloo.transport.tcp.connect; public class Dial {}",
            "package io.jgloo.transport.tcp.socket; class Planted {"
                + " io.jgloo.transport.tcp.stream.Stream planted; }"),
        Floor.of(
            "frames know no stream",
            unknown("io.jgloo.transport.tcp.wire", "io.jgloo.transport.tcp", CONNECT, STREAM, SHM),
            "package io.jgloo.transport.tcp.stream; public class Stream {}",
            "package io.jgloo.transport.tcp.connect; public class Dial {}",
            "package io.jgloo.transport.tcp.wire; class Planted {"
                + " io.jgloo.transport.tcp.stream.Stream planted; }"),
        Floor.of(
            "memory that ranks share knows no stream",
            unknown(SHM, "io.jgloo.transport.tcp", CONNECT, STREAM),
            "package io.jgloo.transport.tcp.stream; public class Stream {}",
            "package io.jgloo.transport.tcp.connect; public class Dial {}",
            "package io.jgloo.transport.shm; class Planted { io.jgloo.transport.tcp.stream.Stream"
                + " planted; }"),
        Floor.of(
            "streams do not know how they were connected",
            unknown(STREAM, "io.jgloo.transport.tcp", CONNECT),
            "package io.jgloo.transport.tcp.stream; public class Stream {}",
            "package io.jgloo.transport.tcp.connect; public class Dial {}",
            "package io.jgloo.transport.tcp.stream; class Planted {"
                + " io.jgloo.transport.tcp.connect.Dial planted; }"),
        Floor.of(
            "what connects does not know the device",
            unknown(CONNECT, "io.jgloo.transport.tcp"),
            "package io.jgloo.transport.tcp; public class Attributes {}",
            "package io.jgloo.transport.tcp.connect; class Planted {"
                + " io.jgloo.transport.tcp.Attributes planted; }"),
        Floor.of(
            "no two classes of the device depend on each other in a cycle",
            slices()
                .assignedFrom(new OwnClasses.ByClass("io.jgloo.transport.tcp"))
                .should()
                .beFreeOfCycles(),
            "package io.jgloo.transport.tcp; class Attributes { Device device; }",
            "package io.jgloo.transport.tcp; class Device { Attributes attributes; }"),
        Floor.of(
            "rendezvous knows only transport",
            unknown(RENDEZVOUS, FACADE, COLLECTIVES, RPC, PS, BENCH),
            "package io.jgloo.rendezvous; class Planted { io.jgloo.Work work; }"),
        Floor.of(
            "algorithms do not know rendezvous",
            unknown(COLLECTIVES, RENDEZVOUS),
            "package io.jgloo.collectives; class Planted { io.jgloo.rendezvous.Context c; }"),
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
        Floor.of(
            "rpc knows only transport and rendezvous",
            unknown(RPC, FACADE, COLLECTIVES, PS, BENCH),
            "package io.jgloo.rpc; class Planted { io.jgloo.collectives.Shape shape; }"),
        Floor.of(
            "ps uses messages, not calls or collectives",
            unknown(PS, FACADE, COLLECTIVES, "io.jgloo.rpc", "io.jgloo.rpc.rref..", BENCH),
            "package io.jgloo.ps; class Planted { io.jgloo.collectives.Shape shape; }"),
        Floor.of(
            "messages know no rpc",
            unknown("io.jgloo.rpc.message..", "io.jgloo.rpc", "io.jgloo.rpc.rref.."),
            "package io.jgloo.rpc; public class Call {}",
            "package io.jgloo.rpc.message; class Planted { io.jgloo.rpc.Call call; }"),
        Floor.of(
            "collectives know no rpc",
            unknown(COLLECTIVES, RPC, PS).because("they are two ways to use a group"),
            "package io.jgloo.rpc; public class Call {}",
            "package io.jgloo.collectives; class Planted { io.jgloo.rpc.Call call; }"));
  }

  private static List<Floor> parameterServer() {
    return List.of(
        Floor.of(
            "nodes of a parameter server know no keys",
            unknown(
                "io.jgloo.ps.node",
                "io.jgloo.ps.kv",
                "io.jgloo.ps.store",
                "io.jgloo.ps.handle",
                "io.jgloo.ps.wire",
                "io.jgloo.ps.membership"),
            "package io.jgloo.ps.node; class Planted { io.jgloo.ps.kv.KvCall call; }"),
        Floor.of(
            "handles know no messages",
            unknown(
                "io.jgloo.ps.handle",
                "io.jgloo.ps.wire",
                "io.jgloo.ps.membership",
                "io.jgloo.ps.server",
                "io.jgloo.ps.client"),
            "package io.jgloo.ps.handle; class Planted { io.jgloo.ps.server.Response reply; }"),
        Floor.of(
            "messages of a parameter server know neither side",
            unknown(
                "io.jgloo.ps.wire",
                "io.jgloo.ps.handle",
                "io.jgloo.ps.membership",
                "io.jgloo.ps.server",
                "io.jgloo.ps.client"),
            "package io.jgloo.ps.wire; class Planted { io.jgloo.ps.client.Window window; }"),
        Floor.of(
            "the server's side does not know the worker's",
            unknown("io.jgloo.ps.server", "io.jgloo.ps", "io.jgloo.ps.client"),
            "package io.jgloo.ps.server; class Planted { io.jgloo.ps.client.Window window; }"),
        Floor.of(
            "the worker's side does not know the server's",
            unknown(
                "io.jgloo.ps.client", "io.jgloo.ps", "io.jgloo.ps.handle", "io.jgloo.ps.server"),
            "package io.jgloo.ps.client; class Planted { io.jgloo.ps.server.Shard<?> shard; }"));
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

  private static ArchRule unknown(String floor, String... above) {
    return noClasses()
        .that()
        .resideInAPackage(floor)
        .should()
        .dependOnClassesThat(resideInAnyPackage(above));
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

  @ParameterizedTest
  @MethodSource("floors")
  void failsOnAPlantedViolation(Floor floor) throws IOException {
    Path classes = Planted.compile(folder, floor.planted().toArray(String[]::new));
    JavaClasses planted = new ClassFileImporter().importPath(classes);
    assertThrows(AssertionError.class, () -> floor.rule().check(planted));
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
