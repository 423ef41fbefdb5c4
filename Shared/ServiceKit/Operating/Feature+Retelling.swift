import Contracts
public import Logging
import Messaging
public import Postgres
import ServiceLifecycle

extension Feature {
    /// Tells a kind of the service's rows again when admin rebuilds what it keeps of them.
    ///
    /// - Parameters:
    ///   - part: admin's name of what it keeps.
    ///   - kind: the service's name of its rows, as `republish --only` takes it.
    public static func retelling<Service: FeatureService & RepublishingService>(
        _: Service.Type, _ part: String, as kind: String, pool: PostgresPool, logger: Logger
    ) -> Feature {
        Feature(
            "retelling",
            handlers: {
                $0.on(RebuildAsked.self) { received, transaction in
                    guard received.message.parts.contains(part) else { return }
                    Republication.begin(kind, in: transaction)
                }
            },
            working: [
                ServiceComponent(
                    "retelling", stage: .background, RetellingWorker<Service>(kind: kind, pool: pool, logger: logger))
            ])
    }
}

/// Goes on with what was begun to be told again, also after a process that did it was killed.
struct RetellingWorker<Teller: RepublishingService>: Service {
    static var interval: Duration { .seconds(2) }

    let kind: String
    let pool: PostgresPool
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "what is told again waits") {
            guard try await Republication.isOpen(kind, in: pool) else { return }
            let kinds = try await Teller.republished(pool, logger)
            _ = try await Republication(pool: pool, kinds: kinds, logger: logger).run(only: [kind])
        }
    }
}
