# What the scripts beside this file share: build the jar that runs if it is missing or stale, find
# java, choose its flags. Sourced; leaves $bench, $java, $path and the array $flags.

bench=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
root=$(dirname "$bench")
stamp=$bench/target/launch.stamp

# Newer than the last build, or never built. Folders count too: deleting a file touches its folder.
stale() {
  [ -e "$stamp" ] && compgen -G "$bench/target/gloo-bench-*-all.jar" >/dev/null || return 0
  [ -n "$(find "$root"/pom.xml "$root"/gloo-*/pom.xml "$root"/gloo-*/src/main "$bench/src" \
    "$root"/native/src -newer "$stamp" -print -quit)" ]
}

# One builder at a time; a process that waited finds the work done. The lock is on the POM, a file
# that is there before the first build and after every clean.
build() {
  local lock log began
  exec {lock}<"$bench/pom.xml"
  flock "$lock"
  if stale; then
    echo "gloo-bench: building (first use, or sources changed)" >&2
    log=$(mktemp)
    began=$(mktemp)
    if ! (cd "$root" && mvn -q -B -pl gloo-bench -am -DskipTests package >"$log" 2>&1); then
      cat "$log" >&2
      rm -f "$log" "$began"
      echo "gloo-bench: the build failed" >&2
      exit 3
    fi
    mv "$began" "$stamp" # dated when the build began: an edit made meanwhile is still newer
    rm -f "$log"
  fi
  exec {lock}<&-
}

if [ -n "${JAVA_HOME:-}" ]; then
  java=$JAVA_HOME/bin/java
else
  java=$(command -v java || true)
fi
if [ ! -x "$java" ]; then
  echo "gloo-bench: no java at '${java:-PATH}': set JAVA_HOME or install JDK 17" >&2
  exit 3
fi

if stale; then build; fi

# The serial collector starts quickest, and does not compete with the ranks for the cores.
# Word splitting is meant: JGLOO_JAVA_OPTS holds several options.
# shellcheck disable=SC2206
flags=(-XX:+UseSerialGC ${JGLOO_JAVA_OPTS:-})
home=$(dirname "$(dirname "$(readlink -f "$java")")")
if [ "$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")" -ge 22 ]; then
  flags+=(--enable-native-access=ALL-UNNAMED)
fi

path=$(compgen -G "$bench/target/gloo-bench-*-all.jar")
if [ -d "$bench/target/grpc-classes" ]; then # the profile grpc was built, for `run rpc`
  path+=:$bench/target/grpc-classes:$(<"$bench/target/grpc-classpath.txt")
fi
path+=${JGLOO_CLASSPATH:+:$JGLOO_CLASSPATH} # algorithms of a user's own
