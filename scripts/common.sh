# Sourced by the scripts beside it: ports, passwords, certificates and detached processes.
# shellcheck shell=bash disable=SC2034

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# What `run` starts keeps everything here.
run=${SERAI_RUN_FOLDER:-$project/.local/run}

# The reverse proxy that scripts/install fetches, the version that docker-compose.yml names.
caddy_version=2.11.4
caddy_hash=339f1a9b3f401607dc978083a9aa48fe74852802aed87e8b1bc5d0c69bdc5656
caddy=$project/.local/tools/caddy-$caddy_version

# Where the test servers lie, and how they are started. Tests kill processes, never the machine, so their servers need
# not wait for the disk; with SERAI_DURABLE set (benchmarks) others are used, which do.
if [[ -n ${SERAI_DURABLE:-} ]]; then
    environment=$project/.local/durable
    environment_options=()
else
    environment=$project/.local
    environment_options=(--unsynced)
fi

# The servers are this machine's. With SERAI_SERVERS, the folder of another Debian (`scripts/debian13 DIR` makes one), they are
# that one's: before a command, `inside` enters it, with this project where it is. Needs root.
inside=()
postgres_version=15
if [[ -n ${SERAI_SERVERS:-} ]]; then
    environment=$project/.local/servers-${SERAI_SERVERS##*/}
    postgres_version=$(find "$SERAI_SERVERS/usr/lib/postgresql" -mindepth 1 -maxdepth 1 -printf '%f\n')
    # shellcheck disable=SC2016 # the inner shell expands
    inside=(unshare --mount bash -euc '
        root=$0 project=$1
        shift
        mount --rbind /dev "$root/dev"
        mount --rbind /proc "$root/proc"
        for folder in "$project" /tmp /var/tmp; do
            mkdir -p "$root$folder"
            mount --bind "$folder" "$root$folder"
        done
        exec chroot "$root" "$@"' "$SERAI_SERVERS" "$project")
fi

# build_options debug|release: of `swift build`. A release build is the one of the images, with the runtime inside; another
# set of options would have everything compiled anew.
build_options() {
    case $1 in
    release) echo "-c release --static-swift-stdlib" ;;
    *) echo "-c $1" ;;
    esac
}

# The images that scripts/test-images makes, for where others cannot be pulled.
# shellcheck disable=SC2034
stand_ins=serai-stand-in

fail() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# Prints `count` distinct loopback ports that nobody listens on and nobody else has just been given. They lie below the
# kernel's ephemeral range, so that no client's outgoing connection takes one while its server is down.
free_ports() {
    local count=$1 port chosen=" " notes=$project/.local/ports tries=0
    # What was chosen minutes ago is in use by now, or will not be.
    mkdir -p "$notes"
    find "$notes" -mindepth 1 -mmin +10 -delete 2>/dev/null || true
    while ((count > 0)); do
        ((++tries <= 1000)) || fail "no port is free, or none can be noted in $notes"
        port=$((15000 + (RANDOM * 32768 + RANDOM) % 17000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && continue
        # Of several that start at once only one may have it.
        mkdir "$notes/$port" 2>/dev/null || continue
        chosen+="$port "
        count=$((count - 1))
    done
    echo "$chosen"
}

# Writes a generated password to the file, readable by the owner only, unless there is one.
keep_password() {
    [[ -s $1 ]] || (umask 077 && openssl rand -hex 16 >"$1")
}

# wait_until SECONDS COMMAND...: probes until the command succeeds; fails after the deadline.
wait_until() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.05
    done
}

# The library that makes fsync and its like do nothing.
unsynced_library() {
    find /usr/lib -name libeatmydata.so 2>/dev/null | grep . || fail "libeatmydata1 is not installed; run scripts/install"
}

# Before a command: whoever is woken does not push aside who is working (sched(7), SCHED_BATCH). With fifteen processes on
# two full cores that took a fourteenth of them, and half of a request's time at the median. Not everywhere may one choose.
# shellcheck disable=SC2034 # of who sources this
turns=(chrt --batch 0)
"${turns[@]}" true 2>/dev/null || turns=()

# Before a command: it works with what others leave, at a tenth of their weight where the cores do not suffice. A session has
# a weight of its own on machines without control groups (sched(7), autogroup), which only root may set more than ten times a
# second, all sessions together.
# shellcheck disable=SC2034,SC2016 # of who sources this; the inner shell expands
later=(nice -n 10 bash -c '
    for try in {1..20}; do
        [[ -e /proc/self/autogroup ]] || break
        ! { echo 10 >/proc/self/autogroup; } 2>/dev/null || break
        sleep 0.05
    done
    exec "$@"' later)

gone() {
    ! kill -0 "$1" 2>/dev/null || [[ $(ps -o stat= -p "$1") == Z* ]]
}

# note_self NOTES NAME: adds a line with NAME, this process's number and its start to the file NOTES.
note_self() {
    local self=$BASHPID
    printf '%s %s %s\n' "$2" "$self" "$(started_at "$self")" >>"$1"
}

# launch NOTES NAME LOG COMMAND...: runs the command in a session of its own, with none of the caller's descriptors: it
# outlives the caller, and a caller waiting for the end of its own output is not held up. Before the command begins, the
# new process has noted itself: whatever ends the caller, and whenever, it can be found. The array `settings`, where there is one, is added to the command's environment: passwords are
# in no command line.
launch() {
    local notes=$1 name=$2 log=$3
    shift 3
    (
        exec </dev/null >>"$log" 2>&1
        note_self "$notes" "$name"
        for fd in /proc/"$BASHPID"/fd/*; do
            fd=${fd##*/}
            ((fd <= 2)) || eval "exec $fd>&-"
        done
        [[ -z ${settings[*]-} ]] || export "${settings[@]}"
        exec setsid "$@"
    ) &
    launched=$!
}

# noted NOTES NAME: the newest process of that name in the file, if it still is the one that was started, in `pid`.
noted() {
    local name start
    pid=''
    [[ -s $1 ]] || return 1
    read -r name pid start < <(grep "^$2 " "$1" | tail -n 1) || return 1
    [[ $name == "$2" && $(started_at "$pid") == "$start" ]] && ! gone "$pid"
}

# end_session PID: all processes of the session that PID began. Those that do not end in order are killed.
end_session() {
    # shellcheck disable=SC2317 # called by wait_until
    has_begun() { gone "$1" || pgrep -s "$1" >/dev/null; }
    # shellcheck disable=SC2317
    has_ended() { ! pgrep -s "$1" >/dev/null; }
    wait_until 10 has_begun "$1" || true # then there is nothing to end
    pkill -TERM -s "$1" || return 0
    wait_until 10 has_ended "$1" && return
    pkill -KILL -s "$1" || true # ended just now
    wait_until 10 has_ended "$1" || fail "the session $1 does not end"
}

# make_certificates DIR: an authority (ca.pem) and a server certificate for localhost and 127.0.0.1, for ten years.
make_certificates() {
    local dir=$1
    [[ -s $dir/server.pem ]] && return
    mkdir -p "$dir"
    (
        cd "$dir"
        umask 077
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=serai test authority" \
            -keyout ca.key -out ca.pem
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=localhost" \
            -keyout server.key -out server.csr
        openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 3650 -out server.pem.new \
            -extfile <(echo "subjectAltName=DNS:localhost,IP:127.0.0.1")
        chmod 644 ca.pem
        mv server.pem.new server.pem
    ) 2>"$dir.log" >&2 || fail "openssl could not make certificates in $dir: $(tail -n 3 "$dir.log")"
    rm -f "$dir.log"
}

# started_at PID: when the process was started, in ticks of the kernel's clock; nothing when there is none. With the
# number it names a process for good.
started_at() {
    # The second field, the program's name, may hold spaces and brackets; the rest comes after its last bracket.
    sed -n 's/^.*) //p' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20
}
