import Glibc
import SeraiJSON

/// RabbitMQ's application stops and starts; its Erlang node stays.
struct RestartBrokerApplication: Fault {
    let ground: ChaosGround

    func begin() async throws { try await ground.rabbit.ctl(["stop_app"]) }
    func heal() async throws { try await ground.rabbit.ctl(["start_app"]) }
}

/// `kill -9` of the whole node.
struct KillBroker: Fault {
    let ground: ChaosGround

    func begin() async throws { try await ground.rabbit.kill() }
    func heal() async throws { try await ground.rabbit.start() }
}

struct CutBrokerConnections: Fault {
    let ground: ChaosGround

    func begin() async throws { try await ground.rabbit.ctl(["close_all_connections", "chaos"]) }
}

/// The node stands still with its connections open.
struct StallBroker: Fault {
    let ground: ChaosGround

    func begin() async throws { ground.rabbit.server?.send(SIGSTOP) }
    func heal() async throws { ground.rabbit.server?.send(SIGCONT) }
}

/// The broker says that it has no memory left, and takes nothing from publishers.
struct MemoryAlarm: Fault {
    let ground: ChaosGround

    func begin() async throws { try await ground.rabbit.ctl(["set_vm_memory_high_watermark", "0"]) }
    /// What RabbitMQ has when its configuration says nothing, as here.
    func heal() async throws { try await ground.rabbit.ctl(["set_vm_memory_high_watermark", "0.4"]) }
}

/// The broker says that its disk is full, and takes nothing from publishers.
struct DiskAlarm: Fault {
    let ground: ChaosGround

    func begin() async throws { try await ground.rabbit.ctl(["set_disk_free_limit", "1000000GB"]) }
    /// As with ``MemoryAlarm``.
    func heal() async throws { try await ground.rabbit.ctl(["set_disk_free_limit", "50MB"]) }
}

/// What the services tell each other for some seconds comes a second time, late and all at once.
struct LateDuplicates: Fault {
    let ground: ChaosGround

    private static let queue = "chaos.copies"
    private static let exchanges = ["identity", "dispatch", "wallet", "notifications", "admin"]
    /// In one request; few enough for a JSON text that is read whole.
    private static let batch = 100
    /// What one fault sends again at most.
    private static let limit = 5_000

    func begin() async throws {
        _ = try await ground.manage("PUT", "queues/%2F/\(Self.queue)", .object(["durable": true]))
        for exchange in Self.exchanges {
            _ = try await ground.manage(
                "POST", "bindings/%2F/e/\(exchange)/q/\(Self.queue)", .object(["routing_key": "#"]))
        }
    }

    func heal() async throws {
        var copies: [JSONValue] = []
        while copies.count < Self.limit {
            let wanted: JSONValue = .object([
                "count": .integer(Int64(Self.batch)), "ackmode": "ack_requeue_false", "encoding": "auto",
            ])
            let answer = try await ground.manage("POST", "queues/%2F/\(Self.queue)/get", wanted)
            guard case .array(let messages) = try JSONValue(parsing: answer), !messages.isEmpty else { break }
            copies += messages
        }
        // First: else it would get its own copies.
        _ = try await ground.manage("DELETE", "queues/%2F/\(Self.queue)")
        for copy in copies {
            guard case .string(let exchange)? = copy["exchange"] else { continue }
            var message: [String: JSONValue] = [:]
            for name in ["properties", "routing_key", "payload", "payload_encoding"] { message[name] = copy[name] }
            _ = try await ground.manage("POST", "exchanges/%2F/\(exchange)/publish", .object(message))
        }
    }
}
