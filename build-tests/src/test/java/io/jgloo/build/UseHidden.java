package io.jgloo.build;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A class uses a package that another module does not export to it. On the class path, where
 * module-info does not forbid it.
 */
final class UseHidden extends ArchCondition<JavaClass> {

  /** By package of the libraries. */
  private final Map<String, ModuleDescriptor> owners = new HashMap<>();

  private UseHidden(Set<ModuleReference> modules) {
    super("use packages that another module hides");
    for (ModuleReference module : modules) {
      module.descriptor().packages().forEach(name -> owners.put(name, module.descriptor()));
    }
  }

  static UseHidden inOtherModules(Set<ModuleReference> modules) {
    return new UseHidden(modules);
  }

  @Override
  public void check(JavaClass user, ConditionEvents events) {
    ModuleDescriptor own = owners.get(user.getPackageName());
    if (own == null) {
      return; // the bench is no module: it also measures what is hidden
    }
    String module = own.name();
    for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
      String used = dependency.getTargetClass().getPackageName();
      ModuleDescriptor owner = owners.get(used);
      if (owner != null && !owner.name().equals(module) && !isExported(used, owner, module)) {
        events.add(SimpleConditionEvent.satisfied(dependency, dependency.getDescription()));
      }
    }
  }

  private static boolean isExported(String name, ModuleDescriptor owner, String user) {
    return owner.exports().stream()
        .anyMatch(
            exports ->
                exports.source().equals(name)
                    && (!exports.isQualified() || exports.targets().contains(user)));
  }
}
