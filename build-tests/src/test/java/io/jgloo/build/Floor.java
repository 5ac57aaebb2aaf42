package io.jgloo.build;

import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/**
 * A rule on who may know whom, and classes that break it.
 *
 * @param planted source files; the rule must fail on them
 */
record Floor(String name, ArchRule rule, List<String> planted) {

  static Floor of(String name, ArchRule rule, String... planted) {
    return new Floor(name, rule, List.of(planted));
  }

  @Override
  public String toString() {
    return name;
  }
}
