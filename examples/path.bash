# The class path of the examples, for the scripts beside this file: examples_path HERE
examples_path() {
  local path="$1/target/classes" module
  for module in collectives ps rpc rendezvous transport; do
    path+=":$1/../gloo-$module/target/classes"
  done
  echo "$path:$(cat "$1/target/classpath.txt")"
}
