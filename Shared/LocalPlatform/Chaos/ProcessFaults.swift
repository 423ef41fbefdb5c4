import Glibc

/// `kill -9`, and a start as a container engine does it.
struct KillProcess: Fault {
    let ground: ChaosGround
    let name: String

    func begin() async throws { try await ground.end(name, by: SIGKILL) }
    func heal() async throws { try await ground.launch(name) }
}

/// Stands still, as on a machine that swaps: its connections stay open, and it goes on as if nothing had been.
struct StopProcess: Fault {
    let ground: ChaosGround
    let name: String

    func begin() async throws { for process in ground.running(name) { process.send(SIGSTOP) } }
    func heal() async throws { for process in ground.running(name) { process.send(SIGCONT) } }
}

/// Started again with a clock that is ahead, and later with the right one.
struct SkewClock: Fault {
    let ground: ChaosGround
    let name: String

    /// Identity's stays within what a token's reader forgives; the others have nobody who reads a time of theirs so strictly.
    var seconds: Int { name == "identity" ? 25 : 90 }

    func begin() async throws {
        try await ground.end(name, by: SIGTERM)
        try await ground.launch(
            name,
            with: [
                "LD_PRELOAD": try ServerSystem.library("faketime/libfaketimeMT.so.1", package: "faketime"),
                "FAKETIME": "+\(seconds)s",
                // Waits go on as they are; only what time it is, is wrong. Older versions know the second name.
                "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
            ])
    }

    func heal() async throws {
        try await ground.end(name, by: SIGTERM)
        try await ground.launch(name)
    }
}

/// Every process of a service ends in order and is started again, one after the other; each is ready before the next.
struct RollingUpdate: Fault {
    let ground: ChaosGround

    func begin() async throws {
        for process in ground.processes where process.service != "caddy" {
            try await ground.end(process.name, by: SIGTERM)
            try await ground.launch(process.name, isAwaited: true)
        }
    }
}

/// The migrations run again, as at every start of a deployment, and one more is made and undone: an index on orders.
struct MigrateUnderLoad: Fault {
    let ground: ChaosGround

    func begin() async throws {
        for service in DeploymentPlan.services {
            try await ground.command(service, ["migrate"], ["SERAI_DATABASE_URL": try ground.superuserURL()])
        }
        try await ground.sql("CREATE INDEX CONCURRENTLY IF NOT EXISTS chaos_probe ON dispatch.orders (id)")
    }

    func heal() async throws { try await ground.sql("DROP INDEX CONCURRENTLY IF EXISTS dispatch.chaos_probe") }
}
