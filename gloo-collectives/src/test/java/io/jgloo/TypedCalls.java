package io.jgloo;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Generates the methods of {@link ProcessGroup} on arrays and buffers from its methods on {@link
 * Payload}.
 *
 * <p>Every public method with one or two payloads gets an overload for each kind of memory, in the
 * order of the source. A blocking one takes payloads from the group's pool and gives them back; one
 * that returns {@link Work} makes new ones, since they must live as long as the work.
 */
final class TypedCalls {

  private static final String BEGIN =
      "  // Generated from here on by TypedCalls.java in the tests: do not edit.\n";
  private static final String END = "  // End of the generated part.\n";

  private static final Pattern METHOD =
      Pattern.compile("\n  public (void|int|Work) (\\w+)\\(([^)]*\\bPayload [^)]*)\\) \\{");

  private static final int COLUMNS = 100;

  /**
   * A kind of memory.
   *
   * @param type of the parameter that takes a payload's place
   * @param more parameters that describe the memory, behind the last of them
   * @param ranges whether {@code more} makes sense for one vector only
   */
  private record Kind(String type, List<Parameter> more, boolean ranges) {}

  private record Parameter(String type, String name, boolean nullable) {
    Parameter(String type, String name) {
      this(type, name, false);
    }

    boolean isPayload() {
      return type.equals("Payload");
    }

    @Override
    public String toString() {
      return (nullable ? nullable(type) : type) + " " + name;
    }

    /** JSpecify's syntax: of an array it is the array that may be null, not its elements. */
    private static String nullable(String type) {
      return type.endsWith("[]") ? type.replace("[]", " @Nullable []") : "@Nullable " + type;
    }
  }

  private record Method(String result, String name, List<Parameter> parameters) {
    long payloads() {
      return parameters.stream().filter(Parameter::isPayload).count();
    }
  }

  private static final List<Kind> KINDS = kinds();

  private TypedCalls() {}

  private static List<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>();
    for (String array : List.of("float[]", "double[]", "int[]", "long[]", "byte[]")) {
      List<Parameter> range =
          List.of(new Parameter("int", "offset"), new Parameter("int", "length"));
      kinds.add(new Kind(array, List.of(), false));
      kinds.add(new Kind(array, range, true));
    }
    for (String buffer : List.of("FloatBuffer", "DoubleBuffer", "IntBuffer", "LongBuffer")) {
      kinds.add(new Kind(buffer, List.of(), false));
    }
    kinds.add(new Kind("ByteBuffer", List.of(new Parameter("DataType", "type")), false));
    return kinds;
  }

  /** The source with its generated part made anew. */
  static String regenerate(String source) {
    int begin = source.indexOf(BEGIN);
    int end = source.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException("the lines that enclose the generated part are missing");
    }
    String written = source.substring(0, begin + BEGIN.length());
    StringBuilder out = new StringBuilder(written);
    for (Method method : methods(written)) {
      for (Kind kind : KINDS) {
        if (!kind.ranges || method.payloads() == 1) {
          overload(out, method, kind);
        }
      }
    }
    for (Kind kind : KINDS) {
      pooled(out, kind);
      made(out, kind);
    }
    return out.append('\n').append(source.substring(end)).toString();
  }

  private static List<Method> methods(String source) {
    List<Method> methods = new ArrayList<>();
    Matcher matcher = METHOD.matcher(source);
    while (matcher.find()) {
      List<Parameter> parameters = new ArrayList<>();
      for (String parameter : matcher.group(3).strip().split(",\\s*", -1)) {
        boolean nullable = parameter.startsWith("@Nullable ");
        String[] words = parameter.replace("@Nullable ", "").split(" ", -1);
        parameters.add(new Parameter(words[0], words[1], nullable));
      }
      methods.add(new Method(matcher.group(1), matcher.group(2), parameters));
    }
    return methods;
  }

  private static void overload(StringBuilder out, Method method, Kind kind) {
    List<Parameter> parameters = new ArrayList<>();
    long left = method.payloads();
    for (Parameter each : method.parameters) {
      parameters.add(each.isPayload() ? new Parameter(kind.type, each.name, each.nullable) : each);
      if (each.isPayload() && --left == 0) {
        parameters.addAll(kind.more);
      }
    }
    String types =
        method.parameters.stream().map(Parameter::type).collect(Collectors.joining(", "));
    out.append("\n  /** As {@link #%s(%s)}. */\n".formatted(method.name, types));
    signature(out, "public " + method.result + " " + method.name, parameters);
    if (method.result.equals("Work")) {
      out.append(
          "    return %s;\n".formatted(call(method, each -> "payload" + memory(each, kind))));
    } else {
      blocking(out, method, kind);
    }
    out.append("  }\n");
  }

  private static void blocking(StringBuilder out, Method method, Kind kind) {
    List<Parameter> vectors = method.parameters.stream().filter(Parameter::isPayload).toList();
    for (Parameter each : vectors) {
      out.append("    Payload %s = pooled%s;\n".formatted(local(each), memory(each, kind)));
    }
    boolean returns = method.result.equals("int");
    out.append(
        "    %s%s;\n".formatted(returns ? "int result = " : "", call(method, TypedCalls::local)));
    for (Parameter each : vectors) {
      out.append("    recycle(%s);\n".formatted(local(each)));
    }
    out.append(returns ? "    return result;\n" : "");
  }

  /** The local variable that holds the payload of a parameter. */
  private static String local(Parameter vector) {
    return vector.name + "Payload";
  }

  private static String call(
      Method method, java.util.function.Function<Parameter, String> payload) {
    return method.parameters.stream()
        .map(each -> each.isPayload() ? payload.apply(each) : each.name)
        .collect(Collectors.joining(", ", method.name + "(", ")"));
  }

  private static String memory(Parameter vector, Kind kind) {
    return kind.more.stream()
        .map(each -> ", " + each.name)
        .collect(Collectors.joining("", "(" + vector.name, ")"));
  }

  private static void pooled(StringBuilder out, Kind kind) {
    out.append(
        "\n  @NullUnmarked // the call that gets it refuses null, where that is not allowed\n");
    signature(out, "private Payload pooled", vector(kind));
    out.append("    return x == null ? null : payloads.take().set%s;\n  }\n".formatted(set(kind)));
  }

  private static void made(StringBuilder out, Kind kind) {
    out.append("\n  @NullUnmarked\n");
    signature(out, "private static Payload payload", vector(kind));
    out.append("    return x == null ? null : Payload.of%s;\n  }\n".formatted(set(kind)));
  }

  private static List<Parameter> vector(Kind kind) {
    List<Parameter> parameters = new ArrayList<>(List.of(new Parameter(kind.type, "x")));
    parameters.addAll(kind.more);
    return parameters;
  }

  private static String set(Kind kind) {
    return memory(new Parameter(kind.type, "x"), kind);
  }

  /** One line, or two where one would be too long, as the formatter of the build has it. */
  private static void signature(StringBuilder out, String start, List<Parameter> parameters) {
    String all = parameters.stream().map(Parameter::toString).collect(Collectors.joining(", "));
    String line = "  " + start + "(" + all + ") {";
    out.append(line.length() <= COLUMNS ? line : "  " + start + "(\n      " + all + ") {");
    out.append('\n');
  }
}
