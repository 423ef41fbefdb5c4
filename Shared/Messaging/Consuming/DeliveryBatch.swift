import AMQP
import Foundation
import Logging
import PollThread
import Postgres

/// Handles some deliveries of one consumer.
struct DeliveryBatch {
    /// A delivery that was decoded.
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
        // Last, because parking waits for the broker.
        for (delivery, error) in unreadable { await putAside(delivery, error) }
    }

    /// - Throws: ``UnknownName``, ``ForeignMessage`` or ``PoisonMessage``.
    private func read(_ delivery: Delivery) throws -> Item {
        guard let envelope = Envelope(delivery) else { throw PoisonMessage("no message id or no name") }
        guard isGenuine(envelope.name, delivery) else {
            throw ForeignMessage(name: envelope.name, exchange: delivery.exchange, routingKey: delivery.routingKey)
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
            return await deadLetter(
                delivery, Envelope(delivery), reason: FailurePolicy.describe(error), isForeign: error is ForeignMessage)
        }
        await delay(delivery, envelope, error)
    }

    /// Whether the message comes from its owner. A service's user can publish only to the service's own exchanges, so a
    /// name is accepted if it came by its owner's exchange, or back from a retry. Otherwise any service could publish
    /// messages of another. The default exchange is for messages from operators.
    private func isGenuine(_ name: String, _ delivery: Delivery) -> Bool {
        if delivery.exchange.isEmpty || delivery.exchange == runner.topology.failureExchange { return true }
        guard delivery.routingKey == name else { return false }
        // Compares bytes: finding characters would cost more than all else here, and every message passes this.
        let (owner, exchange) = (name.utf8.prefix { $0 != UInt8(ascii: ".") }, delivery.exchange.utf8)
        guard exchange.starts(with: owner) else { return false }
        let rest = exchange.dropFirst(owner.count)
        return rest.isEmpty || rest.elementsEqual(".commands".utf8)
    }

    // MARK: Effects

    /// Handles all in one transaction. After any failure except an outage of the database, each message gets its own.
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

    /// Mark, effect and commit need one round trip if the handler reads nothing.
    private func commit(_ item: Item) async throws {
        let mark = MarkOneHandled(consumer: runner.queue, message: item.envelope.id)
        do {
            try await runner.pool.withTransaction { transaction in
                transaction.send(mark)
                try await item.entry.run([item.message], transaction)
            }
        } catch {
            // The handler of a repeat may have failed before the mark did.
            guard try await isRepeat(item, error) else { throw error }
            return runner.metrics.handled(0, repeated: 1)
        }
        tell([item])
    }

    private func isRepeat(_ item: Item, _ error: any Error) async throws -> Bool {
        if let error = error as? PostgresError {
            if error.isRepeat { return true }
            // The database cannot be asked now.
            if FailurePolicy.judge(error, failedBefore: 0, limit: .max) != .retryLater(failedAttempts: 1) {
                return false
            }
        } else if error is CancellationError {
            return false
        }
        return try await runner.pool.first(IsHandled(consumer: runner.queue, message: item.envelope.id)) ?? false
    }

    /// Assumes that no message was handled before, so that the marks are sent together with the handlers' first
    /// statements. If one was, the transaction is repeated, and the marks are read before any handler runs.
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

    /// Sorts by aggregate, and within an aggregate by arrival. Operations lock the aggregate's row; since all batches
    /// do so in one order, they cannot deadlock.
    private static func byAggregate(_ items: [Item]) -> [Item] {
        guard items.count > 1 else { return items }
        let places = items.indices.sorted { left, right in
            let (one, other) = (items[left].envelope.correlation ?? "", items[right].envelope.correlation ?? "")
            return one == other ? left < right : one < other
        }
        return places.map { items[$0] }
    }

    /// Groups neighbours of one name, so that a batch operation gets as many messages as possible and the order is
    /// kept.
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

    /// Returns messages to the queue for another process, instead of holding them until this process's connection ends.
    private func leave(_ items: [Item]) {
        for item in items { runner.consumer.reject(item.delivery.tag, requeue: true) }
    }

    /// - Returns: whether to try again; false when the process stops.
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

    /// Delays a message that is not at fault: its failures are not counted.
    private func delay(_ delivery: Delivery, _ envelope: Envelope, _ error: any Error) async {
        let (now, isUnknown) = (Date(), error is UnknownName)
        // A time in the future is not believed.
        let since = min(envelope.unknownSince ?? now, now)
        let patience = runner.configuration.unknownPatience
        if isUnknown, FailurePolicy.isGivenUp(unknownSince: since, now: now, patience: patience) {
            let reason = "\(FailurePolicy.describe(error)), for \(Int(now.timeIntervalSince(since))) s"
            return await deadLetter(delivery, envelope, reason: reason)
        }
        runner.metrics.delay()
        let reason = FailurePolicy.describe(error)
        // Only the first wait is a warning; the message may come again for days.
        log(envelope.delays == 0 ? .warning : .debug, "a message waits for no fault of its own", envelope, reason)
        var headers: [String: HeaderValue] = [
            Envelope.Header.delays: .int(Int64(envelope.delays + 1)), Envelope.Header.reason: .string(reason),
        ]
        if envelope.failedAttempts > 0 { headers[Envelope.Header.attempts] = .int(Int64(envelope.failedAttempts)) }
        if isUnknown { headers[Envelope.Header.unknownSince] = .int(Int64(since.timeIntervalSince1970)) }
        let place = runner.topology.delayQueue(runner.queue, delays: envelope.delays, isUnknown: isUnknown)
        await park(delivery, at: place, headers)
    }

    private func deadLetter(
        _ delivery: Delivery, _ envelope: Envelope?, reason: String, isForeign: Bool = false
    ) async {
        runner.metrics.deadLetter()
        log(.error, "a message is a dead letter", envelope, reason)
        let headers: [String: HeaderValue] = [
            Envelope.Header.reason: .string(reason),
            Envelope.Header.consumer: .string(runner.queue),
            Envelope.Header.failedAt: .string(Date().formatted(.iso8601)),
            Envelope.Header.failures: .int(Int64((envelope?.failedAttempts ?? 0) + 1)),
            Envelope.Header.foreign: .bool(isForeign),
        ]
        await park(delivery, at: ServiceTopology.deadQueue(of: runner.queue), headers)
    }

    /// Publishes a copy and acknowledges the original after the copy's confirm, however long the broker takes:
    /// returning the original would count as a delivery. The inbox makes a second copy harmless.
    ///
    /// A message that cannot be published again, for example because its headers exceed our limit, is rejected to the
    /// broker, which makes it a dead letter without our headers.
    private func park(_ delivery: Delivery, at place: String, _ headers: [String: HeaderValue]) async {
        var properties = delivery.properties
        // A dead letter that is put back gets all its attempts again.
        for count in [Envelope.Header.attempts, Envelope.Header.delays, Envelope.Header.unknownSince] {
            properties.headers[count] = nil
        }
        // The headers of a sender that may not send it must not keep our mark out by their size.
        if headers[Envelope.Header.foreign] == .bool(true) { properties.headers = [:] }
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
