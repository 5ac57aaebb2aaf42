package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** Compiles classes that break a rule, to show that the check of the rule finds them. */
final class Planted {

  private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
  private static final Pattern TYPE = Pattern.compile("(?:class|interface|record) (\\w+)");

  private Planted() {}

  /**
   * Compiles source files against the class path of the tests.
   *
   * @param sources the text of one file each
   * @return the folder of the class files
   */
  static Path compile(Path folder, String... sources) throws IOException {
    Path classes = folder.resolve("classes");
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-proc:none", "-d", classes.toString()));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
    for (String source : sources) {
      arguments.add(write(folder.resolve("sources"), source).toString());
    }
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertEquals(0, status, "the planted classes do not compile");
    return classes;
  }

  private static Path write(Path folder, String source) throws IOException {
    Matcher type = TYPE.matcher(source);
    Path place = folder;
    String name = "module-info";
    if (!source.startsWith("module ") && type.find()) {
      Matcher named = PACKAGE.matcher(source);
      place = named.find() ? folder.resolve(named.group(1).replace('.', '/')) : folder;
      name = type.group(1);
    }
    Files.createDirectories(place);
    return Files.writeString(place.resolve(name + ".java"), source);
  }
}
