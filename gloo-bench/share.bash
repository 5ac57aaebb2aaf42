# Class data sharing for the JVMs that launch.bash starts. Sourced.

# Uses an archive of the classes that a rank loads, and makes it if there is none:
#   share_classes FOLDER VERSION
# FOLDER holds all archives; VERSION changes with the classes. Reads $java, sets $path and the array
# $flags. The JVM archives classes of jars only: directories in $path are packed, and replaced by
# the jars. If there can be no archive, both stay as they are, and a line on stderr says so.
share_classes() {
  local home key folder
  home=$(dirname "$(dirname "$(readlink -f "$java")")")
  key=$( (echo "$home $path $2 ${flags[*]}"; cat "$home/release" 2>/dev/null || true) | cksum)
  folder=$1/${key%% *}
  if [ ! -e "$folder/classes.jsa" ] && [ ! -e "$folder/failed" ]; then
    echo "gloo-bench: making an archive of classes, for a quicker start" >&2
    if ! mkdir -p "$folder"; then
      echo "gloo-bench: starts without class data sharing: cannot make $folder" >&2
      return
    fi
    find "$1" -mindepth 1 -maxdepth 1 -mtime +0 -exec rm -rf {} + # made a day ago or earlier
    make_archive "$folder" >"$folder/log" 2>&1 || mv "$folder/log" "$folder/failed"
  fi
  if [ -e "$folder/failed" ]; then
    echo "gloo-bench: starts without class data sharing: see $folder/failed" >&2
    return
  fi
  path=$(packed "$folder")
  # Warnings of an archive that does not fit go to stderr: stdout may be a report. JDK 25 reports
  # that the archive of the JDK was made without native access, but uses both.
  local warnings=all=warning
  case " ${flags[*]}" in
    *" --enable-native-access="*) warnings+=,cds=off ;;
  esac
  flags+=(-XX:SharedArchiveFile="$folder/classes.jsa" -Xlog:disable -Xlog:"$warnings":stderr)
}

# $path with the jars of FOLDER in the place of directories, the first of which is 1.jar.
packed() {
  local part jar=0 parts all=''
  IFS=: read -ra parts <<<"$path"
  for part in "${parts[@]}"; do
    if [ -d "$part" ]; then
      jar=$((jar + 1))
      part=$1/$jar.jar
    fi
    all+=${all:+:}$part
  done
  echo "$all"
}

# Packs the directories of $path; runs ranks, whose classes are archived.
make_archive() {
  local part jar=0 parts
  IFS=: read -ra parts <<<"$path"
  for part in "${parts[@]}"; do
    if [ -d "$part" ]; then
      jar=$((jar + 1))
      "$(dirname "$java")/jar" -c -0 -f "$1/$jar.jar" -C "$part" . || return
    fi
  done
  timeout 120 "$java" "${flags[@]}" -XX:ArchiveClassesAtExit="$1/new.jsa" -cp "$(packed "$1")" \
    io.jgloo.bench.Main allreduce --ranks 2 --threads --sizes 4,64K --iters 5 --warmup 5 || return
  mv "$1/new.jsa" "$1/classes.jsa"
}
