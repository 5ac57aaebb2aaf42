# What `two-hosts` and `regret` share: hosts that are network namespaces of this machine, joined by a
# switch, each with a link that tc limits in both directions. Sourced, with $name the script's name;
# leaves the array $hosts (namespaces) and $folder, and removes both at the end. Exits with 77 where
# there can be no namespaces.

hosts=()
pids=()
switch=jgloo-$$-switch
folder=$(mktemp -d)
finish() {
  if [ ${#pids[@]} -gt 0 ]; then kill "${pids[@]}" 2>/dev/null || true; fi
  for host in "${hosts[@]}" "$switch"; do ip netns del "$host" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap finish EXIT

need() { # a step that takes root and the kernel's support
  if ! "$@" 2>"$folder/error"; then
    echo "$name: cannot run '$*': $(head -1 "$folder/error")" >&2
    echo "$name: it takes root (CAP_NET_ADMIN, CAP_SYS_ADMIN), ip, tc, veth, bridge and tbf" >&2
    exit 77
  fi
}

# make_hosts NUMBER RATE: host i has the address 10.213.0.(i + 1).
make_hosts() {
  local i host
  need ip netns add "$switch"
  need ip -n "$switch" link add br0 type bridge
  need ip -n "$switch" link set br0 up
  for ((i = 0; i < $1; i++)); do
    host=jgloo-$$-$i
    hosts+=("$host")
    need ip netns add "$host"
    need ip -n "$host" link add eth0 type veth peer name "port$i" netns "$switch"
    need ip -n "$switch" link set "port$i" master br0 up
    need ip -n "$host" addr add "10.213.0.$((i + 1))/24" dev eth0
    need ip -n "$host" link set lo up
    need ip -n "$host" link set eth0 up
    need tc -n "$host" qdisc add dev eth0 root tbf rate "$2" burst 128kb latency 400ms
    need tc -n "$switch" qdisc add dev "port$i" root tbf rate "$2" burst 128kb latency 400ms
  done
}

# start_ranks RANKS PROGRAM ARGUMENT...: as many processes on each host, with --rank, --size and
# --store; standard output and errors in $folder/RANK and RANK.err.
start_ranks() {
  local ranks=$1 rank
  shift
  pids=()
  for ((rank = 0; rank < ${#hosts[@]} * ranks; rank++)); do
    ip netns exec "${hosts[rank / ranks]}" "$@" --rank "$rank" \
      --size $((${#hosts[@]} * ranks)) --store tcp://10.213.0.1:29500 \
      --device-option "host=${hosts[rank / ranks]}" >"$folder/$rank" 2>"$folder/$rank.err" &
    pids+=($!)
  done
}

# await_ranks: until all have ended; exits with 3 if one failed.
await_ranks() {
  local pid
  for pid in "${pids[@]}"; do
    if ! wait "$pid"; then
      cat "$folder"/*.err >&2
      echo "$name: a rank failed" >&2
      exit 3
    fi
  done
  pids=()
}
