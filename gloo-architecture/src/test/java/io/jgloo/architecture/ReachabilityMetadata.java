package io.jgloo.architecture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The {@code reachability-metadata.json} of an artifact, in the format of GraalVM 25 (its schema
 * 1.2.0, of which these files use a part).
 */
final class ReachabilityMetadata {

  /** What a user of the classes may have by name: members, or all of a kind. */
  private static final Set<String> FLAGS =
      Set.of("jniAccessible", "allDeclaredMethods", "allPublicMethods", "allPublicFields");

  private static final Map<String, Set<String>> KEYS =
      Map.of(
          "file", Set.of("reflection", "resources", "foreign"),
          "reflection", with(FLAGS, "condition", "type", "fields", "methods"),
          "resources", Set.of("condition", "glob"),
          "foreign", Set.of("downcalls"),
          "downcalls", Set.of("condition", "returnType", "parameterTypes"),
          "condition", Set.of("typeReached"),
          "type", Set.of("proxy"),
          "fields", Set.of("name"),
          "methods", Set.of("name", "parameterTypes"));

  private static final Map<String, Class<?>> PRIMITIVES =
      Map.of(
          "boolean", boolean.class,
          "byte", byte.class,
          "char", char.class,
          "short", short.class,
          "int", int.class,
          "long", long.class,
          "float", float.class,
          "double", double.class);

  private final JsonNode root;

  ReachabilityMetadata(String text) throws IOException {
    root = new ObjectMapper().readTree(text);
  }

  private static Set<String> with(Set<String> some, String... others) {
    Set<String> all = new HashSet<>(Set.of(others));
    all.addAll(some);
    return all;
  }

  /** Keys and values that the format does not have. */
  List<String> formatProblems() {
    List<String> problems = new ArrayList<>();
    object("file", root, problems);
    for (String list : List.of("reflection", "resources")) {
      root.path(list).forEach(entry -> object(list, entry, problems));
    }
    root.path("foreign").path("downcalls").forEach(call -> object("downcalls", call, problems));
    return problems;
  }

  private static void object(String kind, JsonNode node, List<String> problems) {
    if (!node.isObject()) {
      problems.add(kind + " is no object: " + node);
      return;
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (!KEYS.get(kind).contains(field.getKey())) {
        problems.add(kind + " has no " + field.getKey() + ": " + node);
      } else {
        value(kind, field.getKey(), field.getValue(), problems);
      }
    }
  }

  private static void value(String kind, String key, JsonNode value, List<String> problems) {
    boolean right =
        switch (key) {
          case "reflection", "resources", "downcalls", "proxy", "parameterTypes" -> value.isArray();
          case "foreign", "condition" -> value.isObject();
          case "type" -> value.isTextual() || value.isObject();
          case "fields", "methods" -> value.isArray() && !value.isEmpty();
          case "name", "glob", "returnType", "typeReached" -> value.isTextual();
          default -> value.isBoolean();
        };
    if (!right) {
      problems.add(key + " of " + kind + " is " + value);
    } else if (key.equals("fields") || key.equals("methods")) {
      value.forEach(member -> object(key, member, problems));
    } else if (value.isObject()) {
      object(key, value, problems);
    }
  }

  /** Types and members that do not exist; those that this JDK is too old for are left out. */
  List<String> missing(ClassLoader loader, Set<String> tooNew) {
    List<String> missing = new ArrayList<>();
    for (JsonNode entry : root.path("reflection")) {
      names(entry).forEach(name -> check(name, entry, loader, tooNew, missing));
      String condition = entry.at("/condition/typeReached").asText();
      check(condition, root.path("none"), loader, tooNew, missing);
    }
    return missing;
  }

  private static void check(
      String name, JsonNode entry, ClassLoader loader, Set<String> tooNew, List<String> missing) {
    if (tooNew.stream().anyMatch(name::startsWith)) {
      return;
    }
    try {
      Class<?> type = type(name, loader);
      for (JsonNode field : entry.path("fields")) {
        Field unused = type.getDeclaredField(field.path("name").asText());
      }
      for (JsonNode method : entry.path("methods")) {
        checkMethod(type, method, loader, tooNew);
      }
    } catch (ReflectiveOperationException e) {
      missing.add(name + ": " + e);
    }
  }

  private static void checkMethod(
      Class<?> type, JsonNode method, ClassLoader loader, Set<String> tooNew)
      throws ReflectiveOperationException {
    String name = method.path("name").asText();
    List<String> parameters = texts(method.path("parameterTypes"));
    if (Stream.concat(Stream.of(type.getName() + "." + name), parameters.stream())
        .anyMatch(part -> tooNew.stream().anyMatch(part::startsWith))) {
      return;
    }
    List<Class<?>> types = new ArrayList<>();
    for (String parameter : parameters) {
      types.add(type(parameter, loader));
    }
    Class<?>[] all = types.toArray(Class<?>[]::new);
    Executable unused =
        name.equals("<init>") ? type.getDeclaredConstructor(all) : declared(type, name, all);
  }

  /** Of the type or, as for {@code Arena.close}, inherited and overridden there or not. */
  private static Executable declared(Class<?> type, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    try {
      return type.getDeclaredMethod(name, parameters);
    } catch (NoSuchMethodException e) {
      return type.getMethod(name, parameters);
    }
  }

  private static Class<?> type(String name, ClassLoader loader) throws ClassNotFoundException {
    if (name.endsWith("[]")) {
      Class<?> element = type(name.substring(0, name.length() - 2), loader);
      return Array.newInstance(element, 0).getClass();
    }
    Class<?> primitive = PRIMITIVES.get(name);
    return primitive != null ? primitive : Class.forName(name, false, loader);
  }

  private static List<String> names(JsonNode entry) {
    JsonNode type = entry.path("type");
    return type.isTextual() ? List.of(type.asText()) : texts(type.path("proxy"));
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  /** Whether JNA can bind the native methods of the class. */
  boolean bindsNatives(String type) {
    for (JsonNode entry : root.path("reflection")) {
      if (entry.path("type").asText().equals(type)
          && entry.path("jniAccessible").asBoolean()
          && entry.path("allDeclaredMethods").asBoolean()) {
        return true;
      }
    }
    return false;
  }

  /** The types, and the names of members and resources, that the class or a nested one may use. */
  Set<String> usableBy(String outermost, ClassLoader loader) {
    Set<String> usable = new TreeSet<>();
    for (String list : List.of("reflection", "resources")) {
      for (JsonNode entry : root.path(list)) {
        String condition = entry.at("/condition/typeReached").asText();
        if (condition.equals(outermost) || condition.startsWith(outermost + "$")) {
          usable.add(entry.path("glob").asText());
          usable.addAll(names(entry));
          entry.path("fields").forEach(field -> usable.add(field.path("name").asText()));
          entry.path("methods").forEach(method -> usable.add(method.path("name").asText()));
          addAllOfAKind(entry, loader, usable);
        }
      }
    }
    return usable;
  }

  private static void addAllOfAKind(JsonNode entry, ClassLoader loader, Set<String> usable) {
    try {
      Class<?> type = type(entry.path("type").asText(), loader);
      if (entry.path("allPublicMethods").asBoolean()) {
        Stream.of(type.getMethods()).forEach(method -> usable.add(method.getName()));
      }
      if (entry.path("allPublicFields").asBoolean()) {
        Stream.of(type.getFields()).forEach(field -> usable.add(field.getName()));
      }
    } catch (ClassNotFoundException e) {
      return; // a proxy or resource, or a class of a newer JDK
    }
  }

  /** The C functions that java.lang.foreign may call, as {@code result(parameters)}. */
  Set<String> downcalls() {
    Set<String> calls = new TreeSet<>();
    for (JsonNode call : root.path("foreign").path("downcalls")) {
      String parameters = String.join(",", texts(call.path("parameterTypes")));
      calls.add(call.path("returnType").asText() + "(" + parameters + ")");
    }
    return calls;
  }

  Set<String> resources() {
    Set<String> globs = new TreeSet<>();
    root.path("resources").forEach(entry -> globs.add(entry.path("glob").asText()));
    return globs;
  }
}
