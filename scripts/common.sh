# Sourced by the scripts beside it that install and make images.
# shellcheck shell=bash disable=SC2034

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# The reverse proxy that scripts/install fetches, the version that docker-compose.yml names.
caddy_version=2.11.4
caddy_hash=339f1a9b3f401607dc978083a9aa48fe74852802aed87e8b1bc5d0c69bdc5656
caddy=$project/.local/tools/caddy-$caddy_version

# The web app's Preact, one module of a wheel, and where Playwright for its tests lies.
preact_version=10.27.2
preact_hash=6cfe3b4d4651ffa4ec9207e3df40e49ea5e157d9b064ac02fd516d931cd52a58
preact=$project/.local/tools/preact-$preact_version.js
web_tests=$project/.local/tools/web-tests

# Where the generator of clients and its tests lie.
client_tests=$project/.local/tools/client-tests

# Where pytest and Schemathesis for the security tests lie.
security_tests=$project/.local/tools/security-tests

# Where pip-audit lies.
audit=$project/.local/tools/audit

# Where moto lies, a store in S3's form for scripts/backup-drill.
s3_store=$project/.local/tools/s3-store

# The images that scripts/test-images makes, for where others cannot be pulled.
stand_ins=serai-stand-in

fail() {
    echo "${0##*/}: $*" >&2
    exit 1
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

gone() {
    ! kill -0 "$1" 2>/dev/null || [[ $(ps -o stat= -p "$1") == Z* ]]
}

# deployed ARGUMENTS...: Compose, for the deployment of this folder.
deployed() {
    local -a compose=(docker-compose)
    ! docker compose version >/dev/null 2>&1 || compose=(docker compose)
    (cd "$project" && "${compose[@]}" "$@")
}

# processes SERVICE: the ids of its containers in the deployment, sorted, also of those that have ended; none of `compose run`.
processes() {
    local container
    for container in $(deployed ps -a -q "$1" | sort); do
        [[ $(docker inspect -f '{{index .Config.Labels "com.docker.compose.oneoff"}}' "$container") != False ]] || echo "$container"
    done
}
