package io.jgloo.rendezvous.launch;

import java.util.ArrayList;
import java.util.List;

/**
 * A list of hosts in SLURM's compact form.
 *
 * <pre>
 *   list  = host *( "," host )
 *   host  = 1*( text / "[" range *( "," range ) "]" )        brackets multiply: a[1-2]b[3,4]
 *   range = number [ "-" number ]                            leading zeros are kept: 08-11
 * </pre>
 */
final class SlurmNodeList {
  private static final int MOST_HOSTS = 1 << 17;

  private final String text;
  private int at;

  private SlurmNodeList(String text) {
    this.text = text;
  }

  /**
   * All hosts, in order; at least one.
   *
   * @throws IllegalStateException if the text is no list of hosts
   */
  static List<String> expand(String text) {
    SlurmNodeList parser = new SlurmNodeList(text.strip());
    List<String> hosts = new ArrayList<>();
    do {
      hosts.addAll(parser.host());
      parser.limit(hosts.size());
    } while (parser.skip(','));
    if (parser.at < parser.text.length()) {
      throw parser.wrong("'" + parser.text.charAt(parser.at) + "' is out of place");
    }
    return hosts;
  }

  private List<String> host() {
    List<String> hosts = List.of("");
    int start = at;
    while (at < text.length() && text.charAt(at) != ',' && text.charAt(at) != ']') {
      hosts = product(hosts, skip('[') ? ranges() : List.of(plain()));
    }
    if (at == start) {
      throw wrong("a host is missing");
    }
    return hosts;
  }

  private String plain() {
    int start = at;
    while (at < text.length() && ",[]".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(start, at);
  }

  private List<String> ranges() {
    List<String> numbers = new ArrayList<>();
    do {
      String first = digits();
      String last = skip('-') ? digits() : first;
      long end = Long.parseLong(last);
      for (long number = Long.parseLong(first); number <= end; number++) {
        String digits = Long.toString(number);
        numbers.add("0".repeat(Math.max(0, first.length() - digits.length())) + digits);
        limit(numbers.size());
      }
    } while (skip(','));
    if (!skip(']') || numbers.isEmpty()) {
      throw wrong("a range is not closed, or empty");
    }
    return numbers;
  }

  private String digits() {
    int start = at;
    while (at < text.length() && Character.digit(text.charAt(at), 10) >= 0) {
      at++;
    }
    if (at == start || at - start > 18) {
      throw wrong("a number is missing or too long");
    }
    return text.substring(start, at);
  }

  private List<String> product(List<String> heads, List<String> tails) {
    limit((long) heads.size() * tails.size());
    List<String> all = new ArrayList<>();
    heads.forEach(head -> tails.forEach(tail -> all.add(head + tail)));
    return all;
  }

  private boolean skip(char expected) {
    boolean there = at < text.length() && text.charAt(at) == expected;
    at += there ? 1 : 0;
    return there;
  }

  private void limit(long hosts) {
    if (hosts > MOST_HOSTS) {
      throw wrong("it has more than " + MOST_HOSTS + " hosts");
    }
  }

  private IllegalStateException wrong(String why) {
    return new IllegalStateException(
        String.format("'%s' is not a node list of SLURM: at %d %s", text, at, why));
  }
}
