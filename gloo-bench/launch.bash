# What `run`, `compare`, `jmh` and `peers/jgloo_rank` share: bring the classes up to date, find
# java, choose its flags. Sourced; leaves $bench, $root, $java, $path and the array $flags.
# $phase, if set, is the Maven phase to build: test-compile for what is in src/test. $share, if set,
# asks for an archive of classes; JGLOO_SHARE=off forbids it.

bench=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
root=$(dirname "$bench")
libraries=(gloo-transport gloo-rendezvous gloo-collectives gloo-rpc gloo-ps)
phase=${phase:-process-classes}
stamp=$bench/target/launch-$phase.stamp

# Newer than the last build, or never built. Folders count too: deleting a file touches its folder.
stale() {
  local module newer sources="$bench/src/jmh"
  if [ "$phase" = test-compile ]; then sources="$bench/src"; fi
  for module in "${libraries[@]}" gloo-bench; do
    [ -d "$root/$module/target/classes" ] || return 0
  done
  [ -e "$stamp" ] && [ -e "$bench/target/classpath.txt" ] || return 0
  [ -e "$(cut -d: -f1 "$bench/target/classpath.txt")" ] || return 0 # the local repository moved
  newer=$(find "$root"/pom.xml "$root"/.mvn "$root"/gloo-*/pom.xml "$root"/gloo-*/src/main \
    "$sources" "$root"/native \
    \( -path "$root/native/target" -o -path "$root/native/verbs-vm" \) -prune -o \
    -newer "$stamp" -print -quit 2>/dev/null)
  [ -n "$newer" ]
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
    if ! (cd "$root" && mvn -q -B -pl gloo-bench -am "$phase" >"$log" 2>&1); then
      cat "$log" >&2
      rm -f "$log" "$began"
      echo "gloo-bench: the build failed" >&2
      exit 3
    fi
    mkdir -p "$bench/target"
    mv "$began" "$stamp" # dated when the build began: an edit made meanwhile is still newer
    rm -f "$log"
  fi
  exec {lock}<&-
}

# The feature release of $java, from the file beside it: starting a JVM to ask costs 50 ms.
release() {
  local home version
  home=$(dirname "$(dirname "$(readlink -f "$java")")")
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release" 2>/dev/null || true)
  [ -n "$version" ] || version=$("$java" -version 2>&1 | sed -n '1s/.*"\([0-9]*\).*/\1/p')
  echo "${version:-0}"
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
flags=(-XX:+UseSerialGC -Xshare:auto)
if [ "$(release)" -ge 22 ]; then
  flags+=(--enable-native-access=ALL-UNNAMED)
fi

path=$bench/target/classes
for module in "${libraries[@]}"; do
  path+=:$root/$module/target/classes
done
path+=:$(<"$bench/target/classpath.txt")
if [ -n "${share:-}" ] && [ "${JGLOO_SHARE:-on}" != off ]; then
  source "$bench/share.bash"
  exec {lock}<"$bench/pom.xml"
  flock "$lock"
  share_classes "$bench/target/shared" "$(stat -c %y "$stamp")"
  exec {lock}<&-
fi

# Word splitting is meant: JGLOO_JAVA_OPTS holds several options.
# shellcheck disable=SC2206
flags+=(${JGLOO_JAVA_OPTS:-})
if [ -d "$bench/target/grpc-classes" ]; then # the profile grpc was built, for `run rpc`
  path+=:$bench/target/grpc-classes:$(<"$bench/target/grpc-classpath.txt")
fi
path+=${JGLOO_CLASSPATH:+:$JGLOO_CLASSPATH} # algorithms of a user's own
