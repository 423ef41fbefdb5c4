import AMQP
import Foundation
import Logging
import PollThread
import Postgres

/// The way of some deliveries through one consumer.
struct DeliveryBatch {
    /// A delivery that could be read.
    struct Item {
        let delivery: Delivery
        let envelope: Envelope
        let message: any Sendable
        let entry: MessageHandlers.Entry
    }

    private let runner: ConsumerRunner
    private let deliveries: [Delivery]

    init(_ runner: ConsumerRunner, _ deliveries: [Delivery]) {
        self.runner = runner
        self.deliveries = deliveries
    }

    func handle() async {
        var items: [Item] = []
        var unreadable: [(delivery: Delivery, error: any Error)] = []
        items.reserveCapacity(deliveries.count)
        for delivery in deliveries {
            do { items.append(try read(delivery)) } catch { unreadable.append((delivery, error)) }
        }
        let together = items.filter(\.entry.sharesTransaction)
        if together.count > 1 {
            await handleTogether(together)
        } else {
            for item in together { await handleAlone(item) }
        }
        for item in items where !item.entry.sharesTransaction { await handleAlone(item) }
        // Last, for parking waits for the broker.
        for (delivery, error) in unreadable { await putAside(delivery, error) }
    }

    /// - Throws: ``UnknownName`` or ``PoisonMessage``.
    private func read(_ delivery: Delivery) throws -> Item {
        guard let envelope = Envelope(delivery) else { throw PoisonMessage("no message id or no name") }
        guard isGenuine(envelope.name, delivery) else {
            throw PoisonMessage("\(envelope.name) came by \(delivery.exchange), \(delivery.routingKey)")
        }
        guard let entry = runner.handlers.entries[envelope.name] else { throw UnknownName(name: envelope.name) }
        do {
            let message = try entry.decode(delivery.body, envelope)
            return Item(delivery: delivery, envelope: envelope, message: message, entry: entry)
        } catch {
            throw PoisonMessage(FailurePolicy.describe(error))
        }
    }

    private func putAside(_ delivery: Delivery, _ error: any Error) async {
        guard let envelope = Envelope(delivery), error is UnknownName else {
            return await deadLetter(delivery, Envelope(delivery), reason: FailurePolicy.describe(error))
        }
        await delay(delivery, envelope, error)
    }

    /// A service's user may publish to its own exchanges only. So a name is believed if it came by its owner's, or back
    /// from a retry: else any service could speak for any other. The default exchange takes messages from operators.
    private func isGenuine(_ name: String, _ delivery: Delivery) -> Bool {
        if delivery.exchange.isEmpty || delivery.exchange == runner.topology.failureExchange { return true }
        guard delivery.routingKey == name else { return false }
        // By bytes: to find characters costs more than all else here, and every message comes this way.
        let (owner, exchange) = (name.utf8.prefix { $0 != UInt8(ascii: ".") }, delivery.exchange.utf8)
        guard exchange.starts(with: owner) else { return false }
        let rest = exchange.dropFirst(owner.count)
        return rest.isEmpty || rest.elementsEqual(".commands".utf8)
    }

    // MARK: Effects

    /// One transaction for all. If it fails for any reason but the database's absence, each gets its own.
    private func handleTogether(_ items: [Item]) async {
        while true {
            do {
                try await commit(items)
                return runner.consumer.ack(items.map(\.delivery.tag))
            } catch {
                guard FailurePolicy.judge(error, failedBefore: 0, limit: .max) == .waitForDatabase else { break }
                guard await waitForDatabase(error) else { return leave(items) }
            }
        }
        for item in items { await handleAlone(item) }
    }

    private func handleAlone(_ item: Item) async {
        while true {
            do {
                try await commit(item)
                return runner.consumer.ack(item.delivery.tag)
            } catch {
                let verdict = FailurePolicy.judge(
                    error, failedBefore: item.envelope.failedAttempts, limit: runner.configuration.attemptLimit)
                switch verdict {
                case .waitForDatabase:
                    guard await waitForDatabase(error) else { return leave([item]) }
                case .delay:
                    return await delay(item.delivery, item.envelope, error)
                case .retryLater(let failures):
                    return await retryLater(item.delivery, item.envelope, failures, error)
                case .deadLetter(let reason):
                    return await deadLetter(item.delivery, item.envelope, reason: reason)
                case .leave:
                    return leave([item])
                }
            }
        }
    }

    /// The mark, the effect and the commit in one round trip, if the handler asks nothing.
    private func commit(_ item: Item) async throws {
        let mark = MarkOneHandled(consumer: runner.queue, message: item.envelope.id)
        do {
            try await runner.pool.withTransaction { transaction in
                transaction.send(mark)
                try await item.entry.run([item.message], transaction)
            }
        } catch {
            // The handler of a repeat may have failed for its own reasons, before the mark could.
            guard try await isRepeat(item, error) else { throw error }
            return runner.metrics.handled(0, repeated: 1)
        }
        tell([item])
    }

    private func isRepeat(_ item: Item, _ error: any Error) async throws -> Bool {
        if let error = error as? PostgresError {
            if error.isRepeat { return true }
            // Nothing can be asked now.
            if FailurePolicy.judge(error, failedBefore: 0, limit: .max) != .retryLater(failedAttempts: 1) {
                return false
            }
        } else if error is CancellationError {
            return false
        }
        return try await runner.pool.first(IsHandled(consumer: runner.queue, message: item.envelope.id)) ?? false
    }

    /// As if no message had been handled before, so the marks go to the server with what the handlers ask first. If one
    /// has been, again: its mark is looked for before anything runs.
    private func commit(_ items: [Item]) async throws {
        // A message may be in the batch twice.
        var seen: Set<UUID> = []
        var fresh = items.filter { seen.insert($0.envelope.id).inserted }
        let messages = fresh.map(\.envelope.id)
        do {
            let mark = MarkHandled(consumer: runner.queue, messages: messages)
            try await runner.pool.withTransaction { [fresh] transaction in
                transaction.send(mark)
                try await run(fresh, in: transaction)
            }
        } catch let error as PostgresError where error.isRepeat {
            let mark = MarkUnhandled(consumer: runner.queue, messages: messages)
            fresh = try await runner.pool.withTransaction { [fresh] transaction in
                let unhandled = Set(try await transaction.query(mark))
                let rest = fresh.filter { unhandled.contains($0.envelope.id) }
                try await run(rest, in: transaction)
                return rest
            }
        }
        runner.metrics.handled(0, repeated: items.count - fresh.count)
        tell(fresh)
    }

    private func run(_ items: [Item], in transaction: PostgresTransaction) async throws {
        for run in Self.runs(runner.configuration.keepsQueueOrder ? items : Self.byAggregate(items)) {
            try await run[0].entry.run(run.map(\.message), transaction)
        }
    }

    private func tell(_ fresh: [Item]) {
        runner.metrics.handled(fresh.count, repeated: 0)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        for item in fresh {
            if let made = item.envelope.id.timeMilliseconds { runner.metrics.lag(milliseconds: now - made) }
        }
    }

    /// By what they are about, those about one thing as they came. Operations lock that thing's row; as all batches do
    /// so in one order, no two wait for each other.
    private static func byAggregate(_ items: [Item]) -> [Item] {
        guard items.count > 1 else { return items }
        let places = items.indices.sorted { left, right in
            let (one, other) = (items[left].envelope.correlation ?? "", items[right].envelope.correlation ?? "")
            return one == other ? left < right : one < other
        }
        return places.map { items[$0] }
    }

    /// Neighbours of one name, so that a batch operation sees as many as possible and order is kept.
    private static func runs(_ items: [Item]) -> [[Item]] {
        var runs: [[Item]] = []
        for item in items {
            if runs.last?.last?.envelope.name == item.envelope.name {
                runs[runs.count - 1].append(item)
            } else {
                runs.append([item])
            }
        }
        return runs
    }

    /// To another process: this one stops, and need not hold them until its connection ends.
    private func leave(_ items: [Item]) {
        for item in items { runner.consumer.reject(item.delivery.tag, requeue: true) }
    }

    /// Returns whether to try again; not when the process stops.
    private func waitForDatabase(_ error: any Error) async -> Bool {
        runner.logger.warning("messages wait for the database", metadata: ["error": "\(FailurePolicy.describe(error))"])
        do {
            try await runner.pool.thread.sleep(until: .now + .milliseconds(Int.random(in: 100...1000)))
            return !runner.isStopping
        } catch {
            return false
        }
    }

    // MARK: Failures

    private func retryLater(
        _ delivery: Delivery, _ envelope: Envelope, _ failures: Int, _ error: any Error
    ) async {
        runner.metrics.retry()
        let reason = FailurePolicy.describe(error)
        log(.warning, "a message failed and is tried again later", envelope, reason)
        let place = runner.topology.retryQueue(runner.queue, failedAttempts: failures)
        await park(
            delivery, at: place,
            [Envelope.Header.attempts: .int(Int64(failures)), Envelope.Header.reason: .string(reason)])
    }

    /// For no fault of the message: its failures stay as many as they were.
    private func delay(_ delivery: Delivery, _ envelope: Envelope, _ error: any Error) async {
        let (now, isUnknown) = (Date(), error is UnknownName)
        // A moment to come is a lie.
        let since = min(envelope.unknownSince ?? now, now)
        let patience = runner.configuration.unknownPatience
        if isUnknown, FailurePolicy.isGivenUp(unknownSince: since, now: now, patience: patience) {
            let reason = "\(FailurePolicy.describe(error)), for \(Int(now.timeIntervalSince(since))) s"
            return await deadLetter(delivery, envelope, reason: reason)
        }
        runner.metrics.delay()
        let reason = FailurePolicy.describe(error)
        // Its first wait is told; it may come again for days.
        log(envelope.delays == 0 ? .warning : .debug, "a message waits for no fault of its own", envelope, reason)
        var headers: [String: HeaderValue] = [
            Envelope.Header.delays: .int(Int64(envelope.delays + 1)), Envelope.Header.reason: .string(reason),
        ]
        if envelope.failedAttempts > 0 { headers[Envelope.Header.attempts] = .int(Int64(envelope.failedAttempts)) }
        if isUnknown { headers[Envelope.Header.unknownSince] = .int(Int64(since.timeIntervalSince1970)) }
        let place = runner.topology.delayQueue(runner.queue, delays: envelope.delays, isUnknown: isUnknown)
        await park(delivery, at: place, headers)
    }

    private func deadLetter(_ delivery: Delivery, _ envelope: Envelope?, reason: String) async {
        runner.metrics.deadLetter()
        log(.error, "a message is a dead letter", envelope, reason)
        let headers: [String: HeaderValue] = [
            Envelope.Header.reason: .string(reason),
            Envelope.Header.consumer: .string(runner.queue),
            Envelope.Header.failedAt: .string(Date().formatted(.iso8601)),
        ]
        await park(delivery, at: ServiceTopology.deadQueue(of: runner.queue), headers)
    }

    /// Publishes a copy and acknowledges the original once the copy is confirmed, however long the broker takes: giving
    /// the original back would count against it. A second copy is made harmless by the inbox.
    ///
    /// One that cannot be published again, such as with headers over our limit, is left to the broker, which makes it a dead
    /// letter without our words.
    private func park(_ delivery: Delivery, at place: String, _ headers: [String: HeaderValue]) async {
        var properties = delivery.properties
        // A dead letter that is put back has all its attempts again.
        for count in [Envelope.Header.attempts, Envelope.Header.delays, Envelope.Header.unknownSince] {
            properties.headers[count] = nil
        }
        properties.headers.merge(headers) { _, new in new }
        let copy = OutboundMessage(
            exchange: runner.topology.failureExchange, routingKey: place, body: delivery.body, properties: properties)
        while !runner.isStopping && !Task.isCancelled {
            do {
                try await runner.publisher.publish(copy, deadline: .now + .seconds(10))
                return runner.consumer.ack(delivery.tag)
            } catch PublishError.invalid(let reason) {
                log(.error, "a failed message cannot be parked, and is a dead letter", Envelope(delivery), reason)
                return runner.consumer.reject(delivery.tag, requeue: false)
            } catch {
                log(.error, "a failed message cannot be parked yet", Envelope(delivery), "\(error)")
                do { try await runner.pool.thread.sleep(until: .now + .seconds(1)) } catch { break }
            }
        }
        runner.consumer.reject(delivery.tag, requeue: true)
    }

    private func log(_ level: Logger.Level, _ text: Logger.Message, _ envelope: Envelope?, _ reason: String) {
        runner.logger.log(
            level: level, text,
            metadata: [
                "consumer": "\(runner.queue)", "message.id": "\(envelope?.id.text ?? "")",
                "message.name": "\(envelope?.name ?? "")", "correlation.id": "\(envelope?.correlation ?? "")",
                "traceparent": "\(envelope?.traceparent ?? "")", "reason": "\(reason)",
            ])
    }
}
