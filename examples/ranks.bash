# Replaces the shell by a program of an example with an adapter: example FOLDER ADAPTER CLASS ARGUMENTS...
example() {
  local path="$1/target/classes:$1/../target/classes:$1/../../adapters/$2/target/classes" module
  for module in collectives rendezvous transport; do
    path+=":$1/../../gloo-$module/target/classes"
  done
  path+=":$(cat "$1/target/classpath.txt")"
  shift 2
  export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} # of each rank: they share the processors
  exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "$path" "$@"
}

# Starts a process for each rank, and waits for all: ranks SIZE COMMAND...
# If the size is -, a launcher such as srun has started this process as one rank.
ranks() {
  local size=$1 rank pid pids=() store status=0
  shift
  if [ "$size" = - ]; then
    "$@"
    return
  fi
  store="$(mktemp -d)"
  for ((rank = 0; rank < size; rank++)); do
    GLOO_RANK=$rank GLOO_SIZE=$size GLOO_STORE="file://$store" "$@" &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
  rm -rf "$store"
  return "$status"
}
