# A failing command in a pipe fails its line.
SHELL := /bin/bash -o pipefail
.DEFAULT_GOAL := help

sources := $(wildcard Package.swift Plugins Shared Services Tests)
web := $(wildcard Web Tests/WebTests Tests/ClientTests Tests/SecurityTests)
written := $(wildcard Makefile README.md CONTRIBUTING.md .ci scripts deploy docs) $(sources) $(web)
deploying := deploy/setup deploy/backup/backup deploy/certificates deploy/doctor deploy/cluster/setup deploy/healthy deploy/web/serve deploy/env/create deploy/rabbitmq/users $(wildcard deploy/test-images/*/entrypoint)
# An orphaned backtracer can hold a pipe open.
export SWIFT_BACKTRACE := enable=no

# The package manager writes the traits of a package in the order of a set: in another order, all that needs it is compiled anew.
build_swift := env SWIFT_DETERMINISTIC_HASHING=1 swift build
# CI needs no debug information, which costs minutes to write. (It keeps the index: tests are found by it.)
build_tests := $(build_swift) --build-tests $(if $(CI),-debug-info-format none)
# As the images are built; with other options everything would be compiled anew.
release := $(build_swift) -c release --static-swift-stdlib
# How many tests run at once.
width := --experimental-maximum-parallelization-width 12

.PHONY: help install backup restore scale roll backup-drill run run-down simulate order-cost bench-latency chaos cluster-drill compose-test env-up env-down clean-env build test test-debian13 test-tsan lint check-alerts format model-wallet walk-orders kill-workers races bench-ground bench-identity bench-wallet bench-notifications bench-dispatch bench-mdrp

help: ## print this
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 16

install: ## install the Debian packages that are missing
	@scripts/install

env-up: ## start the private PostgreSQL and RabbitMQ under .local/
	@scripts/serai-dev env-up

env-down: ## stop them; their data stays
	@scripts/serai-dev env-down

clean-env: ## stop them and delete their data
	@scripts/serai-dev env-down --remove

run: ## everything on free loopback ports, and an order walked through to its end; Ctrl-C stops all of it
	@scripts/run $(ARGS)

run-down: ## end what `make run ARGS=--detach` has left running
	@scripts/run-down

MARKET ?= assef
N ?= 500
SPEED ?= 120
DATA ?= ../shared/data/uber-pickups-nyc-2014-04.csv.gz
simulate: ## N orders where DATA's people were, SPEED times as fast (or RATE a second), into .build/simulate.json; MARKET=all
	@test -f '$(DATA)' || { echo "There is no file $(DATA): name a .csv or .csv.gz of pickups with DATA=…" >&2; exit 1; }
	@scripts/serai-dev simulate --market '$(MARKET)' --orders '$(N)' --data '$(DATA)' --meals '$(MEALS)' \
		$(if $(RATE),--rate '$(RATE)',--speed '$(SPEED)') $(ARGS)

bench-latency: ## ROUNDS simulations one after the other on one deployment, RATE=50 orders a second, into .build/bench/latency-N.json
	@test -f '$(DATA)' || { echo "There is no file $(DATA): name a .csv or .csv.gz of pickups with DATA=…" >&2; exit 1; }
	@$(if $(ROUNDS),ROUNDS='$(ROUNDS)') scripts/serai-dev bench-latency --market '$(MARKET)' --orders '$(N)' --data '$(DATA)' --rate '$(or $(RATE),50)' $(ARGS)

.PHONY: certs
certs: ## certificates of the containers for deploy/compose.tls.yml, and those anew that end within 30 days; needs root
	@deploy/certificates $(ARGS)

.PHONY: bench-orders bench bench-compare
MEALS ?= ../shared/data/food-deliveries-india.csv.gz
MINUTES ?= 2
chaos: ## MINUTES of faults by SEED's schedule while people of all markets order, then all is checked (SEEDS=200: so many seeds)
	@for file in '$(DATA)' '$(MEALS)'; do test -f "$$file" || { echo "There is no file $$file: name one with DATA=… or MEALS=…" >&2; exit 1; }; done
	@scripts/serai-dev chaos --minutes '$(MINUTES)' --data '$(DATA)' --meals '$(MEALS)' \
		$(if $(SEED),--seed '$(SEED)') $(if $(SEEDS),--seeds '$(SEEDS)') $(if $(RATE),--rate '$(RATE)') $(ARGS)

order-cost: ## what one of N orders costs, RATE=10 a second, by process: transactions, messages, bytes, processor time
	@test -f '$(DATA)' || { echo "There is no file $(DATA): name a .csv or .csv.gz of pickups with DATA=…" >&2; exit 1; }
	@SERAI_BUILD=release scripts/serai-dev with-run python3 Tests/Benchmarks/order_cost.py --market '$(MARKET)' --orders '$(N)' --data '$(DATA)' --meals '$(MEALS)' --rate '$(or $(RATE),10)' $(ARGS)

cluster-drill: build ## three hosts on this machine, and parts of them end: figures into .build/cluster-drill.json; needs root
	@scripts/cluster-drill $(ARGS)

compose-test: install ## the images, docker-compose.yml and scaling, in a real Docker engine; needs root
	@scripts/compose-test $(ARGS)

backup: ## a copy of the deployment's database now (ARGS=diff, ARGS=list)
	@scripts/backup $(ARGS)

restore: ## the deployment as it was at TIME=2026-11-28T09:30:00Z, or TIME=latest; asks first (YES=1 does not)
	@test -n '$(TIME)' || { echo "Give TIME=2026-11-28T09:30:00Z or TIME=latest" >&2; exit 1; }
	@SERAI_RESTORE_YES='$(YES)' scripts/restore '$(TIME)' $(TIMELINE)

scale: ## so many processes of one service, kept in .env: SERVICE=dispatch TO=4
	@scripts/scale '$(SERVICE)' '$(TO)'

roll: ## the processes of SERVICE=dispatch (or of all five) replaced by those of the image that is there now, and nobody waits
	@scripts/roll $(SERVICE)

backup-drill: install ## a database is destroyed while it is written, and set back to a second (ARGS="--megabytes 1000", ARGS=--s3)
	@scripts/backup-drill $(ARGS)

.PHONY: restore-drill
restore-drill: ## people of all markets order, the database's files are destroyed twice and set back, all goes on and is checked
	@for file in '$(DATA)' '$(MEALS)'; do test -f "$$file" || { echo "There is no file $$file: name one with DATA=… or MEALS=…" >&2; exit 1; }; done
	@scripts/serai-dev restore-drill --data '$(DATA)' --meals '$(MEALS)' $(if $(SEED),--seed '$(SEED)') $(if $(RATE),--rate '$(RATE)') $(ARGS)

build: install ## debug build of everything
	$(build_tests)

test: install ## all tests (of those in a browser, whole orders), against servers it starts if none run
	$(build_tests)
	scripts/with-env scripts/tests
	scripts/serai-dev with-run sh -euc 'scripts/test-clients; scripts/test-web -m core --reruns 1 -r fER'

test-debian13: install ## the stores' tests and a deployment's against Debian 13's PostgreSQL 17 and RabbitMQ 4.0; needs root
	scripts/debian13 .local/debian13
	$(build_tests)
	SERAI_SERVERS=$(CURDIR)/.local/debian13 scripts/with-env swift test $(width) --skip-build \
		--filter 'PostgresTests|AMQPTests|MessagingTests|DeploymentTests|VisitFlowTests'

test-tsan: install ## the shared layers' tests under the thread sanitizer
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/thread-sanitizer.suppressions SERAI_SANITIZE=1 scripts/with-env swift test $(width) --sanitize=thread --scratch-path .build/tsan \
		--filter 'PollThreadTests|PostgresTests|AMQPTests|MessagingTests'

lint: ## formatting, shell scripts, paths of one machine
	swift format lint --strict --parallel --recursive $(sources)
	@if command -v shellcheck >/dev/null; then shellcheck -x $(filter-out scripts/backup-drill,$(wildcard scripts/*)) .ci/run $(deploying); fi
	@! grep -rnIE '(^|[^A-Za-z0-9._~-])/(home|root|Users|work)/[A-Za-z]' $(written) \
		|| { echo "lint: the lines above name one machine's folders" >&2; exit 1; }

check-alerts: ## the rules of deploy/alerts.yml against deploy/alerts.test.yml, by Prometheus' promtool
	@scripts/check-alerts

format: ## format the sources in place
	swift format --in-place --parallel --recursive $(sources)

# Minutes: 30 000 commands of it are part of `make test`.
model-wallet: install ## a million random commands to the ledger and to its independent model; any difference fails
	$(build_tests)
	SERAI_LEDGER_COMMANDS=1000000 scripts/with-env swift test --skip-build --filter 'WalletTests\.LedgerModelTests'

walk-orders: install ## a million random steps of each workflow, compared with a model of it in plain Swift
	$(build_tests)
	SERAI_WALK_STEPS=1000000 scripts/with-env swift test --skip-build $(width) --filter 'DispatchTests.*/walks'

# The crowd is two hundred carriers a round.
races: install ## a thousand rounds of each race: over orders, payments, and a stream that is cut off
	$(build_tests)
	SERAI_RACE_ROUNDS=1000 SERAI_BUNDLE_ROUNDS=1000 SERAI_CROWD_ROUNDS=1000 SERAI_RESUME_ROUNDS=1000 \
		scripts/with-env swift test --skip-build $(width) --filter 'NotificationsTests.ResumeTests' \
		--filter 'DispatchTests\.((Board|Care|Ride|Meal|Bundle|DropOff)?Race|RaceRoute)Tests' --filter 'WalletTests\.RaceTests'

kill-workers: install ## 5 000 rides by 1, 2, 4 and 8 workers, of which one is killed and one added each ten seconds
	$(build_tests)
	SERAI_WORKER_ORDERS=5000 SERAI_WORKER_SECONDS=10 scripts/with-env swift test --skip-build --filter 'DispatchTests.WorkerTests'

bench-ground: install ## release build, then the ground's figures into .build/bench/ground.json (ARGS="--rounds 3")
	$(release) --product RawAMQP
	$(release) --product BenchGround
	SERAI_DURABLE=yes scripts/with-env .build/release/BenchGround $(ARGS)

bench-identity: install ## release build, then identity's figures into .build/bench/identity.json (ARGS="--rounds 3")
	$(release) --product identity
	$(release) --product BenchIdentity
	SERAI_DURABLE=yes scripts/with-env .build/release/BenchIdentity $(ARGS)

bench-wallet: install ## release build, then the ledger's figures into .build/bench/wallet.json (ARGS="--rounds 3")
	$(release) --product wallet
	$(release) --product BenchWallet
	SERAI_DURABLE=yes scripts/with-env .build/release/BenchWallet $(ARGS)

bench-notifications: install ## release build, then figures of streams and general notices into .build/bench/notifications.json (ARGS="--rounds 3")
	$(release) --product notifications
	$(release) --product BenchNotifications
	SERAI_DURABLE=yes scripts/with-env .build/release/BenchNotifications $(ARGS)

# DATA is a folder here: what `simulate` reads is one file of it.
bench-dispatch: records = $(if $(filter file,$(origin DATA)),../shared/data,$(DATA))
bench-dispatch: install ## release build, then the matching core's figures into .build/bench/dispatch.json (DATA=folder)
	@test -d '$(records)' || { echo "There is no folder $(records): name that of the real records with DATA=…" >&2; exit 1; }
	$(release) --product dispatch
	$(release) --product BenchDispatch
	SERAI_DURABLE=yes scripts/with-env .build/release/BenchDispatch figures --data '$(records)' $(ARGS)

bench-orders: install ## whole orders of all markets a second beside pgbench, their cost and memory, into .build/bench/orders.json
	@for file in '$(DATA)' '$(MEALS)'; do test -f "$$file" || { echo "There is no file $$file: name one with DATA=… or MEALS=…" >&2; exit 1; }; done
	@scripts/serai-dev bench-orders --data '$(DATA)' --meals '$(MEALS)' $(ARGS)

# One after the other: they measure the whole machine.
bench: ## every benchmark, and what is worse than in the last recorded run
	$(MAKE) bench-ground
	$(MAKE) bench-identity
	$(MAKE) bench-wallet
	$(MAKE) bench-notifications
	$(MAKE) bench-dispatch DATA=$(patsubst %/,%,$(dir $(DATA)))
	$(MAKE) bench-latency
	$(MAKE) bench-orders
	$(MAKE) bench-web
	$(MAKE) bench-console
	@scripts/serai-dev bench-compare

bench-compare: ## what of .build/bench is worse than in the last recorded run; then that is the record (ARGS=--no-record: it is not)
	@scripts/serai-dev bench-compare $(ARGS)

bench-mdrp: install ## release build, then INSTANCES=folder of meal deliveries solved into OUT=folder
	@test -d '$(INSTANCES)' -a -n '$(OUT)' || { echo "Give INSTANCES=folder and OUT=folder" >&2; exit 1; }
	$(release) --product BenchDispatch
	.build/release/BenchDispatch mdrp --instances '$(INSTANCES)' --out '$(OUT)'

.PHONY: web test-web bench-web bench-console
web: install ## the web app, type-checked and bundled into .build/web
	@scripts/web

test-web: install ## the app and the console in a browser against the real services; pictures in .build/screenshots (ARGS="-k login")
	@scripts/test-web $(ARGS)

bench-web: install ## what the app costs on a slow phone (400 kbit/s, 400 ms, CPU 4x), into .build/bench/web.json
	@scripts/test-web --bench $(or $(ROUNDS),3)

bench-console: install ## the console's lists and pages with 100 000 orders and people, into .build/bench/console.json
	@scripts/test-web --bench-console $(or $(ROUNDS),100)

.PHONY: test-clients
test-clients: install ## clients generated from the OpenAPI documents call the real services; all documents by their official schemas
	@scripts/test-clients $(ARGS)

.PHONY: security fuzz
security: install ## each operation by each wrong caller, hostile requests, and a search of logs, messages and tables (ARGS="-k wire")
	@scripts/test-security $(ARGS)

# Each half has half of the time, and runs whatever the other has found.
fuzz: install ## requests made from the OpenAPI documents, then libFuzzer on the parsers, for MINUTES=10, SEED=1; PARSERS=1: them alone
	@seed='$(or $(SEED),1)' minutes='$(if $(filter file,$(origin MINUTES)),10,$(MINUTES))' status=0; \
		$(if $(PARSERS),,minutes=$$(((minutes + 1) / 2)); scripts/test-security --fuzz "$$minutes" "$$seed" || status=1;) \
		scripts/fuzz-parsers "$$minutes" "$$seed" || status=1; exit $$status

.PHONY: scan
scan: ## known faults of the images, of Python packages of the tests; Swift packages' versions (ARGS="serai/dispatch:latest")
	@scripts/scan-images $(ARGS)

.PHONY: asyncapi requirements
asyncapi: ## write docs/asyncapi.yaml anew after a change of messages or of docs/asyncapi/schemas.yaml
	$(build_tests)
	SERAI_WRITE_ASYNCAPI=yes swift test --skip-build --filter 'AsyncAPITests/isCurrent'

requirements: ## print each requirement with the tests that show it, and those without any
	@scripts/serai-dev requirements
