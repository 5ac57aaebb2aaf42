# Starts a process for each rank, and waits for all: ranks SIZE COMMAND...
ranks() {
  local size=$1 rank pid pids=() store status=0
  shift
  store="$(mktemp -d)"
  for ((rank = 0; rank < size; rank++)); do
    GLOO_RANK=$rank GLOO_SIZE=$size GLOO_STORE="file://$store" "$@" &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
  rm -rf "$store"
  return "$status"
}
