package io.jgloo.build;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The libraries as modules: the tests run on the class path, a user need not. */
@Timeout(180)
final class ModulesTest {

  @Test
  void theFacadeResolvesAllItNeeds() throws IOException {
    List<Path> thirdParty =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.endsWith(".jar") && !entry.contains("/io/jgloo/"))
            .map(Path::of)
            .toList();
    ModuleFinder finder =
        ModuleFinder.compose(OwnClasses.finder(), ModuleFinder.of(thirdParty.toArray(Path[]::new)));
    Configuration resolved =
        ModuleLayer.boot()
            .configuration()
            .resolve(
                finder,
                ModuleFinder.of(),
                Set.of("io.jgloo", "io.jgloo.ibverbs", "io.jgloo.testkit", "io.jgloo.ps"));
    ModuleLayer layer =
        ModuleLayer.boot()
            .defineModulesWithOneLoader(resolved, ClassLoader.getPlatformClassLoader());
    for (String name :
        List.of(
            "io.jgloo.transport",
            "io.jgloo.ibverbs",
            "io.jgloo.testkit",
            "io.jgloo.rendezvous",
            "io.jgloo",
            "io.jgloo.rpc",
            "io.jgloo.ps")) {
      Module module = layer.findModule(name).orElseThrow();
      assertTrue(module.isNamed(), name);
    }
  }

  /** The profile api-check lists packages, because japicmp does not read module descriptors. */
  @Test
  void everyExportedPackage_isComparedWithEarlierVersions() throws IOException {
    Set<String> exported =
        OwnClasses.modules().stream()
            .flatMap(module -> module.descriptor().exports().stream())
            .filter(exports -> !exports.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(toCollection(TreeSet::new));
    exported.add("io.jgloo.segment"); // of a module that JDK 17 cannot read
    String pom = Files.readString(OwnClasses.ROOT.resolve("pom.xml"));
    Set<String> compared =
        Pattern.compile("<include>(io\\.jgloo.*)</include>")
            .matcher(pom)
            .results()
            .map(include -> include.group(1))
            .collect(toCollection(TreeSet::new));
    assertEquals(exported, compared);
  }

  /** ServiceLoader reads one list on the module path, another on the class path. */
  @ParameterizedTest
  @ValueSource(
      strings = {"transport", "ibverbs", "rendezvous", "collectives", "testkit", "rpc", "ps"})
  void bothPathsOfferTheSameProviders(String library) throws IOException {
    Path classes = OwnClasses.ROOT.resolve("gloo-" + library).resolve("target/classes");
    Map<String, Set<String>> declared = new TreeMap<>();
    Set<ModuleReference> found = ModuleFinder.of(classes).findAll();
    assertEquals(1, found.size(), "modules in " + classes);
    for (ModuleReference reference : found) {
      for (ModuleDescriptor.Provides provides : reference.descriptor().provides()) {
        declared.put(provides.service(), new TreeSet<>(provides.providers()));
      }
    }
    assertEquals(declared, services(classes.resolve("META-INF/services")));
  }

  private static Map<String, Set<String>> services(Path folder) throws IOException {
    Map<String, Set<String>> listed = new TreeMap<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : (Iterable<Path>) files::iterator) {
          listed.put(file.getFileName().toString(), providers(file));
        }
      }
    }
    return listed;
  }

  private static Set<String> providers(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .map(line -> line.replaceFirst("#.*", "").trim())
          .filter(line -> !line.isEmpty())
          .collect(toCollection(TreeSet::new));
    }
  }

  /** Javadoc makes no site of named and automatic modules together. */
  @Test
  void artifactsWithoutADescriptor_areLeftOutOfTheSite() throws IOException {
    Pattern module = Pattern.compile("<module>([^<]*)</module>");
    Pattern skipped = Pattern.compile("<skippedModules>([^<]*)</skippedModules>");
    Set<String> unnamed = new TreeSet<>();
    for (String parent : List.of("", "adapters/")) {
      String pom = Files.readString(OwnClasses.ROOT.resolve(parent + "pom.xml"));
      String always = pom.substring(0, pom.indexOf("<profiles>"));
      for (MatchResult each : module.matcher(always).results().toList()) {
        Path folder = OwnClasses.ROOT.resolve(parent + each.group(1));
        boolean hasClasses = !Files.readString(folder.resolve("pom.xml")).contains("<modules>");
        if (hasClasses
            && !each.group(1).endsWith("-bom")
            && !Files.exists(folder.resolve("src/main/java/module-info.java"))) {
          unnamed.add(each.group(1));
        }
      }
    }
    Matcher list = skipped.matcher(Files.readString(OwnClasses.ROOT.resolve("pom.xml")));
    assertTrue(list.find());
    assertEquals(unnamed, new TreeSet<>(List.of(list.group(1).strip().split(",\\s*", -1))));
  }
}
