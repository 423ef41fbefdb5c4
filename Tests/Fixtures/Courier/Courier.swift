import AMQP
import Foundation
import Messaging
import PollThread
import Postgres
import ServiceKit

/// A whole service for the tests to kill: it sends parcels to itself through outbox, broker and inbox, and sets a
/// deadline for each. Any number of processes may run at once.
struct Courier: SeraiService {
    static let name = "courier"
    static let about = "Sends parcels to itself, for tests."
    static let keys = [sendersKey.erased]
    static let migrations =
        MessagingMigrations.all + [
            Migration(
                component: "courier", version: 1, name: "parcels",
                sql: String(decoding: PackageResources._001_parcels_sql, as: UTF8.self))
        ]
    static let sendersKey = ConfigurationKey<Int>("courier.senders", "Tasks that send parcels.", default: 0)

    static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent] {
        let (pool, database) = try bootstrap.database(on: PollThread(name: "postgres"))
        let topology = ServiceTopology(service: name)
        // Nobody takes from it: it shows in which order messages came to the broker.
        let watch = Topology(
            queues: [.quorum("courier.watch", maxLength: 100_000, overflow: .dropHead)],
            bindings: [Binding(queue: "courier.watch", exchange: name, routingKey: RouteMoved.name.text)])
        let declared = topology.events([ParcelSent.name]).merging(watch)
        let (publisher, publishing) = try bootstrap.publisher(topology: declared)
        let relay = Relay(pool: pool, publisher: publisher, producer: name, logger: bootstrap.logger)
        let consumer = Consumer(
            try bootstrap.broker(purpose: "consumer"), queue: topology.eventsQueue, topology: declared,
            logger: bootstrap.logger)
        let runner = ConsumerRunner(
            queue: topology.eventsQueue, consumer: consumer, publisher: publisher, pool: pool, handlers: handlers,
            topology: topology, logger: bootstrap.logger)
        let deadlines = DeadlineRunner(
            pool: pool, handlers: ["parcel.overdue": { $1.send(InsertOverdue(parcel: $0.subject)) }],
            logger: bootstrap.logger)
        let http = try bootstrap.http(on: pool.thread, verifier: nil) { _ in }
        let senders = Senders(pool: pool, count: try bootstrap.configuration[sendersKey])
        return [
            database, publishing,
            ServiceComponent("relay", stage: .relay, relay),
            ServiceComponent("consumer", stage: .consumers, runner),
            ServiceComponent("deadlines", stage: .background, deadlines),
            ServiceComponent("senders", stage: .background, senders),
            http.component,
        ]
    }

    private static var handlers: MessageHandlers {
        var handlers = MessageHandlers()
        handlers.on(ParcelSent.self) { received, transaction in
            transaction.send(InsertReceived(parcel: received.message.parcel))
        }
        return handlers
    }
}

@main
enum Main {
    static func main() async { await Courier.main() }
}

struct ParcelSent: Message {
    static let name: MessageName = "courier.parcel.sent.v1"
    let parcel: UUID
    var aggregate: String { parcel.text }
}

/// One of a sender's messages, which are numbered in the order of their commits.
struct RouteMoved: Message {
    static let name: MessageName = "courier.route.moved.v1"
    let route: UUID
    let number: Int
    var aggregate: String { route.text }
}

struct InsertSent: Statement {
    static let sql: SQL = "INSERT INTO sent (parcel) VALUES ($1)"
    let parcel: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(parcel) }
}

struct InsertReceived: Statement {
    static let sql: SQL = "INSERT INTO received (parcel) VALUES ($1)"
    let parcel: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(parcel) }
}

struct InsertOverdue: Statement {
    static let sql: SQL = "INSERT INTO overdue (parcel) VALUES ($1::uuid)"
    let parcel: String
    // The deadline's subject is text; the column is not.
    func bind(_ bindings: inout Bindings) { bindings.append(UUID(uuidString: parcel)) }
}
