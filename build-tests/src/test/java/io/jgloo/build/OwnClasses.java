package io.jgloo.build;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;

/** The classes and modules of this project without its tests. */
final class OwnClasses {

  /** Maven runs the tests of a module in its folder. */
  static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  private OwnClasses() {}

  /** All classes; the first call reads them, which takes seconds. */
  static JavaClasses all() {
    return Imported.ALL;
  }

  private static final class Imported {
    static final JavaClasses ALL =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.jgloo");
  }

  /** The libraries as modules, from their class folders. */
  static Set<ModuleReference> modules() {
    return finder().findAll();
  }

  static ModuleFinder finder() {
    return ModuleFinder.of(
        Stream.of("transport", "ibverbs", "rendezvous", "collectives", "testkit", "rpc", "ps")
            .map(library -> ROOT.resolve("gloo-" + library).resolve("target/classes"))
            .toArray(Path[]::new));
  }

  /** One slice for each package. */
  static final class ByPackage implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return SliceIdentifier.of(type.getPackageName());
    }

    @Override
    public String getDescription() {
      return "packages";
    }
  }

  /** One slice for each top-level class of a package. */
  static final class ByClass implements SliceAssignment {

    private final String folder;

    ByClass(String folder) {
      this.folder = folder;
    }

    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      JavaClass outer = type;
      while (outer.getEnclosingClass().isPresent()) {
        outer = outer.getEnclosingClass().get();
      }
      return type.getPackageName().equals(folder)
          ? SliceIdentifier.of(outer.getName())
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "classes of " + folder;
    }
  }
}
