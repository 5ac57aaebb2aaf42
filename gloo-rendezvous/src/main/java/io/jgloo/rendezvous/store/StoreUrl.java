package io.jgloo.rendezvous.store;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A store's address, {@code scheme://location?name=value&name=value}. Nothing is percent-decoded.
 *
 * @param scheme which kind of store
 * @param location the address, in the syntax of the scheme; may be empty
 * @param options further settings, in the order of the text
 */
public record StoreUrl(String scheme, String location, Map<String, String> options) {
  private static final String MARK = "://";
  private static final Pattern SECRET_OPTION =
      Pattern.compile("(?i)([?&][^=&]*(?:pass|pwd|secret|token|auth)[^=&]*=)[^&]*");

  /** Keeps the options as they are now. */
  public StoreUrl {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException if it is invalid, or names an option twice
   */
  public static StoreUrl parse(String text) {
    int mark = text == null ? -1 : text.indexOf(MARK);
    if (mark < 1) {
      throw new IllegalArgumentException("store URL must be scheme://..., is " + masked(text));
    }
    int query = text.indexOf('?', mark);
    String location = text.substring(mark + MARK.length(), query < 0 ? text.length() : query);
    Map<String, String> options = new LinkedHashMap<>();
    if (query >= 0) {
      for (String option : text.substring(query + 1).split("&", -1)) {
        int equals = option.indexOf('=');
        if (equals < 1
            || options.put(option.substring(0, equals), option.substring(equals + 1)) != null) {
          throw new IllegalArgumentException(
              "options of a store URL must be name=value, each name once; it is " + masked(text));
        }
      }
    }
    return new StoreUrl(text.substring(0, mark), location, options);
  }

  /** The value of an option, or {@code otherwise} if it is not given. */
  public String option(String name, String otherwise) {
    return options.getOrDefault(name, otherwise);
  }

  /** This URL without one of its options. */
  public StoreUrl without(String name) {
    Map<String, String> rest = new LinkedHashMap<>(options);
    rest.remove(name);
    return new StoreUrl(scheme, location, rest);
  }

  /** Refuses options that are none of these. */
  public void requireOptions(Set<String> known) {
    for (String name : options.keySet()) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            String.format(
                "'%s' is not an option of %s:// stores, which have %s: %s",
                name, scheme, new java.util.TreeSet<>(known), this));
      }
    }
  }

  /**
   * A URL for messages: user and password, which end at the last {@code @}, are {@code ***}, and so
   * are options that are named after secrets. A path that begins with a slash has none of them.
   */
  public static String masked(@Nullable String url) {
    if (url == null) {
      return "null";
    }
    int mark = url.indexOf(MARK);
    int start = mark < 0 ? 0 : mark + MARK.length();
    int at = url.lastIndexOf('@');
    boolean path = mark > 0 && url.startsWith("/", start);
    String shown = path || at < start ? url : url.substring(0, start) + "***" + url.substring(at);
    return SECRET_OPTION.matcher(shown).replaceAll("$1***");
  }

  /** The URL for messages, without user, password and other secrets. */
  @Override
  public String toString() {
    return masked(text());
  }

  /** The URL as it is written, with its password. */
  public String text() {
    StringBuilder text = new StringBuilder(scheme).append(MARK).append(location);
    char before = '?';
    for (Map.Entry<String, String> option : options.entrySet()) {
      text.append(before).append(option.getKey()).append('=').append(option.getValue());
      before = '&';
    }
    return text.toString();
  }
}
