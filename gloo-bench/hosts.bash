# Hosts for `two-hosts`: network namespaces of this machine, joined by a bridge, each with a link
# that is limited in both directions. Sourced, with $name the script's name
# and $bench the folder; leaves the array $hosts (namespaces) and $folder, and removes both at the
# end. Exits with 77 where there can be no namespaces.

hosts=()
pids=()
switch=jgloo-$$-switch
burst=${BURST:-128kb}
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

# make_hosts NUMBER RATE: host i has the address 10.213.0.(i + 1). RATE is as in 500mbit.
make_hosts() {
  local i
  for ((i = 0; i < $1; i++)); do
    hosts+=("jgloo-$$-$i")
    need ip netns add "${hosts[i]}"
  done
  join_hosts "$2"
  for ((i = 0; i < $1; i++)); do
    need ip -n "${hosts[i]}" addr add "10.213.0.$((i + 1))/24" dev eth0
    need ip -n "${hosts[i]}" link set lo up
    need ip -n "${hosts[i]}" link set eth0 up
    # Not bbr, which sends less for 200 ms when it probes, in single rounds of a measurement.
    need ip -n "${hosts[i]}" route replace 10.213.0.0/24 dev eth0 congctl cubic
  done
}

# A bridge, and a limit in each direction. A burst is what may pass at once after a pause: with more
# than a packet, small transfers are not limited.
join_hosts() {
  local i
  need ip netns add "$switch"
  need ip -n "$switch" link add br0 type bridge
  need ip -n "$switch" link set br0 up
  for ((i = 0; i < ${#hosts[@]}; i++)); do
    need ip -n "${hosts[i]}" link add eth0 type veth peer name "port$i" netns "$switch"
    need ip -n "$switch" link set "port$i" master br0 up
    need tc -n "${hosts[i]}" qdisc add dev eth0 root tbf rate "$1" burst "$burst" latency 400ms
    need tc -n "$switch" qdisc add dev "port$i" root tbf rate "$1" burst "$burst" latency 400ms
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
