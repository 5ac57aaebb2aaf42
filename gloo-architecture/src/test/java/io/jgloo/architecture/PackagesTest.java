package io.jgloo.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The packages of the module io.jgloo depend on each other in one direction only. */
@Timeout(120)
final class PackagesTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.jgloo");

  @Test
  void packagesHaveNoCycles() {
    slices().assignedFrom(new ByPackage()).should().beFreeOfCycles().check(CLASSES);
  }

  /** A rule over no packages holds too: this test shows that the packages are read. */
  @Test
  void packagesAreRead() {
    assertTrue(CLASSES.containPackage("io.jgloo"));
    assertTrue(CLASSES.containPackage("io.jgloo.collectives.algorithm.allreduce"));
  }

  /** One slice for each package of the module io.jgloo. */
  private static final class ByPackage implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      String name = type.getPackageName();
      boolean ours =
          name.equals("io.jgloo")
              || name.equals("io.jgloo.gradient")
              || name.startsWith("io.jgloo.collectives");
      return ours ? SliceIdentifier.of(name) : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "packages of the module io.jgloo";
    }
  }
}
