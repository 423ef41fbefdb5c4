import Foundation
import Messaging
import Postgres
import Synchronization
import TestKit

/// The way of an event from the transaction that tells it to the transaction of its effect.
enum OutboxBenchmark {
    /// How events go.
    private struct Mode {
        /// Events in a transaction, on both sides; the consumer takes fewer if fewer are there.
        let batch: Int
        /// Tasks that tell, tasks that handle, and connections of either service.
        let clients: Int
        /// Events told and not handled yet, at most: producers wait for consumers, as they would in the long run.
        let leadLimit: Int

        var conditions: String { "\(clients) producers, \(clients) workers, at most \(leadLimit) events between them" }

        static let oneByOne = Mode(batch: 1, clients: 16, leadLimit: 2000)
        static let together = Mode(batch: 100, clients: 8, leadLimit: 10_000)
    }

    // MARK: Throughput

    static func throughput(_ settings: Settings) async throws -> [Figure] {
        try await PostgresBenchmark.withAccounts { pool, pgbench in
            let (alone, together) = (Mode.oneByOne, Mode.together)
            let series = try await settings.interleave([
                Contestant("ours, one event a transaction on both sides", unit: "events") {
                    try await load(settings, alone)
                },
                Contestant("pgbench -N", unit: "transactions") {
                    try await PostgresBenchmark.tidy(pool)
                    return try await pgbench.measure(.simpleUpdate, seconds: settings.seconds)
                },
                Contestant("ours, up to \(together.batch) events a transaction on both sides", unit: "events") {
                    try await load(settings, together)
                },
            ])
            return [
                Figure(
                    "outbox_ratio", .atLeast(0.5), rounds: series[0].ratios(to: series[1]),
                    conditions: "row and event in a transaction, relay, broker, inbox and row in another service's:"
                        + " \(alone.conditions) / \(PGBench.conditions) -N",
                    series: [series[0], series[1]], notes: ["every event had exactly one effect"]),
                Figure(
                    "outbox_ratio_in_batches", .atLeast(1.5), rounds: series[2].ratios(to: series[1]),
                    conditions: "the same with up to \(together.batch) events in a transaction:"
                        + " \(together.conditions) / \(PGBench.conditions) -N",
                    series: [series[2], series[1]], notes: ["every event had exactly one effect"]),
            ]
        }
    }

    private static func load(_ settings: Settings, _ mode: Mode) async throws -> Sample {
        var consumer = ConsumerRunner.Configuration()
        consumer.batchLimit = mode.batch
        consumer.workers = mode.clients
        return try await OutboxServices.run(
            connections: mode.clients, prefetch: max(256, 2 * mode.batch * mode.clients), consumer: consumer,
            handlers: { mode.batch == 1 ? $0.oneByOne(raisesSignals: false) : $0.together() },
            { try await load(settings, mode, $0) })
    }

    /// Produces for the length of a measurement. The sample's time ends with the last effect.
    private static func load(_ settings: Settings, _ mode: Mode, _ services: OutboxServices) async throws -> Sample {
        // Connections are open and statements prepared before the clock starts, as with pgbench's rate.
        let warmUp = try await produce(mode, services, for: .milliseconds(300))
        try await services.waitForEffects(of: warmUp)
        let sample = try await measured {
            let all = try await produce(mode, services, for: .seconds(settings.seconds))
            try await services.waitForEffects(of: all)
            return all - warmUp
        }
        try await services.checkEffects(of: warmUp + sample.count)
        return sample
    }

    /// - Returns: events told since the services have run.
    private static func produce(_ mode: Mode, _ services: OutboxServices, for duration: Duration) async throws -> Int {
        let end = ContinuousClock.now + duration
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<mode.clients {
                group.addTask(executorPreference: services.orders.thread) {
                    var generator = SeededGenerator()
                    while ContinuousClock.now < end {
                        let events = (0..<mode.batch).map { _ in OrderPlaced.random(&generator) }
                        try await tell(events, services.orders)
                        let told = services.told.wrappingAdd(events.count, ordering: .relaxed).newValue
                        while told - services.handled.load(ordering: .relaxed) > mode.leadLimit {
                            try await Task.sleep(for: .milliseconds(2))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        return services.told.load(ordering: .relaxed)
    }

    private static func tell(_ events: [OrderPlaced], _ pool: PostgresPool) async throws {
        try await pool.withTransaction { transaction in
            if events.count == 1 {
                transaction.send(InsertOrder(order: events[0]))
            } else {
                transaction.send(InsertOrders(orders: events))
            }
            for event in events { try transaction.publish(event) }
        }
    }

    // MARK: Latency

    private static let eventsPerSecond = 200
    private static let warmUpSeconds = 1

    static func latency(_ settings: Settings) async throws -> [Figure] {
        var halves: [Double] = []
        var tails: [Double] = []
        for round in 1...settings.rounds {
            let milliseconds = try await latencies(settings)
            halves.append(milliseconds.percentile(50))
            tails.append(milliseconds.percentile(99))
            let text = String(
                format: "p50 %.2f ms, p99 %.2f ms, longest %.2f ms", halves.last ?? 0, tails.last ?? 0,
                milliseconds.max() ?? 0)
            Progress.tell("round \(round) of \(settings.rounds): commit to effect: \(text)")
        }
        let conditions =
            "from the return of the producer's commit to the return of the consumer's, \(eventsPerSecond) events a second"
            + " for \(settings.seconds) s, the consumer with its default settings"
        return [
            Figure("outbox_latency_p50_ms", .atMost(5), rounds: halves, conditions: conditions, series: []),
            Figure("outbox_latency_p99_ms", .atMost(25), rounds: tails, conditions: conditions, series: []),
        ]
    }

    /// Events are told at fixed times, however long others take.
    private static func latencies(_ settings: Settings) async throws -> [Double] {
        try await OutboxServices.run(
            connections: PGBench.clients, prefetch: 256, consumer: ConsumerRunner.Configuration(),
            handlers: { $0.oneByOne(raisesSignals: true) }
        ) { services in
            let start = ContinuousClock.now
            let warmUp = warmUpSeconds * eventsPerSecond
            let count = warmUp + settings.seconds * eventsPerSecond
            let measured = try await withThrowingTaskGroup(of: (Int, Double).self) { group in
                for index in 0..<count {
                    try await Task.sleep(until: start + .seconds(1) * index / eventsPerSecond, clock: .continuous)
                    group.addTask { (index, try await latency(services)) }
                }
                var measured: [Double] = []
                for try await (index, milliseconds) in group where index >= warmUp { measured.append(milliseconds) }
                return measured
            }
            try await services.checkEffects(of: count)
            return measured
        }
    }

    /// Of one event, in milliseconds.
    private static func latency(_ services: OutboxServices) async throws -> Double {
        var generator = SeededGenerator()
        let event = OrderPlaced.random(&generator)
        let receiptWritten = services.receiptWritten(event.order)
        try await tell([event], services.orders)
        let committed = ContinuousClock.now
        guard await receiptWritten.wait(until: committed + .seconds(30), on: services.receipts.thread) else {
            throw MissingRow()
        }
        return (ContinuousClock.now - committed) / .milliseconds(1)
    }
}
