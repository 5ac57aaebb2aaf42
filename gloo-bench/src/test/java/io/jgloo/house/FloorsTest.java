package io.jgloo.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The floors of docs/architecture.md: who may know whom. */
@Timeout(120)
final class FloorsTest {

  private static final String FACADE = "io.jgloo";
  private static final String COLLECTIVES = "io.jgloo.collectives..";
  private static final String RENDEZVOUS = "io.jgloo.rendezvous..";
  private static final String TRANSPORT = "io.jgloo.transport..";
  private static final String BENCH = "io.jgloo.bench..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.jgloo");

  @Test
  void transportKnowsNothingAboveIt() {
    check(
        noClasses()
            .that()
            .resideInAPackage(TRANSPORT)
            .should()
            .dependOnClassesThat(resideInAnyPackage(FACADE, COLLECTIVES, RENDEZVOUS, BENCH)));
  }

  @Test
  void rendezvousKnowsOnlyTransport() {
    check(
        noClasses()
            .that()
            .resideInAPackage(RENDEZVOUS)
            .should()
            .dependOnClassesThat(resideInAnyPackage(FACADE, COLLECTIVES, BENCH)));
  }

  @Test
  void packagesOfTransportAndRendezvous_haveNoCycle() {
    slices()
        .matching("io.jgloo.(**)")
        .should()
        .beFreeOfCycles()
        .check(CLASSES.that(resideInAnyPackage(TRANSPORT, RENDEZVOUS)));
  }

  /** On the class path, where module-info does not forbid it. */
  @Test
  void hiddenPackagesOfRendezvous_areUsedInsideOnly() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(RENDEZVOUS)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(RENDEZVOUS)
                    .and(
                        not(
                            resideInAnyPackage(
                                "io.jgloo.rendezvous", "io.jgloo.rendezvous.store")))));
  }

  @Test
  void onlyTheFacadeKnowsRendezvous() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(FACADE, RENDEZVOUS, BENCH)
            .should()
            .dependOnClassesThat(resideInAnyPackage(RENDEZVOUS)));
  }

  @Test
  void nobodyKnowsTheBench() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(BENCH)
            .should()
            .dependOnClassesThat(resideInAnyPackage(BENCH)));
  }

  /** And for the lock of PyTorch's file store, flock(2), which Java has no call for. */
  @Test
  void nativeCodeIsCalledFromTransportsAndKernels() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(TRANSPORT, "io.jgloo.collectives.kernel..")
            .and()
            .haveNameNotMatching(
                "io\\.jgloo\\.rendezvous\\.store\\.file\\.(LogFileLock|FileReplacement)(\\$C)?")
            .should()
            .dependOnClassesThat(resideInAnyPackage("com.sun.jna..")));
  }

  @Test
  void nettyIsKnownWhereTcpIsSpoken() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages("io.jgloo.transport.tcp..", "io.jgloo.rendezvous.store.tcp..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.netty..")));
  }

  @Test
  void algorithmsKnowNoSockets() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(FACADE, COLLECTIVES)
            .should()
            .dependOnClassesThat(
                describe(
                    "are sockets or channels",
                    type ->
                        type.getPackageName().equals("java.nio.channels")
                            || (type.getPackageName().equals("java.net")
                                && type.getSimpleName().contains("Socket")))));
  }

  @Test
  void nothingIsGlobal() {
    check(
        fields()
            .that()
            .areStatic()
            .and()
            .doNotHaveFullName(
                "io.jgloo.transport.memory.Memory.guard") // watches all memory in tests
            .should()
            .beFinal());
  }

  @Test
  void nothingIsThreadLocal() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat()
            .areAssignableTo(ThreadLocal.class)
            .orShould()
            .dependOnClassesThat()
            .haveSimpleName("FastThreadLocal"));
  }

  @Test
  void librariesLeaveTheProcessAndItsStreamsAlone() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(BENCH)
            .should()
            .callMethod(System.class, "exit", int.class)
            .orShould(GeneralCodingRules.ACCESS_STANDARD_STREAMS));
  }

  @Test
  void namesSayWhatAThingIs() {
    check(
        noClasses()
            .should()
            .haveNameMatching(".*(Utils?|Helpers?|Manager|Impl|Base|Data|Info|Common)"));
  }

  /** A rule over no classes holds too: this one shows that classes are really being read. */
  @Test
  void classesAreRead() {
    ArchRule nobodyUsesStrings =
        noClasses().should().dependOnClassesThat().belongToAnyOf(String.class);
    assertThrows(AssertionError.class, () -> nobodyUsesStrings.check(CLASSES));
  }

  /** Some floors may still be empty; a rule over an empty floor holds. */
  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(CLASSES);
  }
}
