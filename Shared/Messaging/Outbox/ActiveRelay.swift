import AMQP
import Foundation
import Logging
import Postgres

/// The service's relay while it is the active one. The lock and the statements use one session, so a relay that has
/// lost the lock cannot go on. A publish ends at the latest with the lease: a relay that stood still can only repeat
/// what was already on the wire.
final class ActiveRelay {
    private let relay: Relay
    private let session: PostgresConnection
    private var plan = RelayPlan()
    private var nextPurge = ContinuousClock.now
    /// Confirmed messages that are still in the table; removed, or marked, together with the next read.
    private var confirmed: [Int] = []
    /// Whether the table may contain marked messages: an older process of the service keeps them for a day.
    private var hasHistory = true
    /// The end of the lease.
    private var leaseEnd: ContinuousClock.Instant
    private var floor = OutboxFloor()
    private var highestRead = 0
    private var nextFloorLook = ContinuousClock.now
    private static let floorInterval: Duration = .seconds(1)

    init(_ relay: Relay, _ session: PostgresConnection, leaseEnd: ContinuousClock.Instant) {
        self.relay = relay
        self.session = session
        self.leaseEnd = leaseEnd
    }

    /// Runs until it throws or the task is cancelled.
    func run() async throws {
        relay.logger.debug("the outbox relay is active")
        let signal = relay.pool.signal(SignalName.outbox)
        let configuration = relay.pool.connectionConfiguration
        let listener = PostgresListener(
            configuration, channel: "serai.outbox.\(configuration.schema ?? "public")", thread: relay.pool.thread,
            logger: relay.logger)
        let listening = Task { for await _ in listener { signal.raise() } }
        defer {
            listening.cancel()
            // Whoever is active next tells how the outbox stands.
            MessagingMetrics.outbox(waiting: 0, oldestSeconds: 0)
        }

        while !Task.isCancelled {
            let began = ContinuousClock.now
            let isMore = try await sendBatch()
            try await purge()
            if isMore { continue }
            let now = ContinuousClock.now
            // Confirmed messages are removed with the next read, which usually brings the next messages.
            let poll = now + (confirmed.isEmpty ? relay.configuration.pollInterval : relay.configuration.settleInterval)
            _ = await signal.wait(until: min(plan.nextTry(after: now) ?? poll, poll), on: relay.pool.thread)
            let next = began + relay.configuration.spacing
            if next > .now { await relay.pause(next - .now) }
        }
        // Confirmed messages need not be sent again after a restart. This runs in a task of its own, because the
        // current one is cancelled.
        guard !confirmed.isEmpty else { return }
        if keepsPublished {
            let mark = MarkPublished(numbers: confirmed)
            _ = try await Task { [session] in try await session.execute(mark) }.value
        } else {
            let removal = RemovePublished(numbers: confirmed)
            _ = try await Task { [session] in try await session.execute(removal) }.value
        }
    }

    private var keepsPublished: Bool { relay.configuration.keepPublished > .zero }

    /// Renews the lease after a third of it. After a standstill it is another relay's, or this session has been ended.
    private func keepLease() async throws {
        let lease = relay.configuration.lease
        guard leaseEnd - .now < lease * 2 / 3 else { return }
        let end = ContinuousClock.now + lease
        guard try await session.query(RenewRelay(seconds: lease / .seconds(1))).first ?? false else {
            throw RelayLeaseLost()
        }
        leaseEnd = end
    }

    /// Reads, publishes and remembers confirmed messages. Returns whether to continue at once.
    private func sendBatch() async throws -> Bool {
        if plan.isOverwhelmed { await relay.pause(.seconds(1)) }
        try await keepLease()
        let (held, exchanges) = (plan.heldAggregates(now: .now), plan.heldExchanges(now: .now))
        let limit = relay.configuration.batchLimit
        let read =
            exchanges.isEmpty
            ? try await settleConfirmed(
                andRead: SelectUnpublished(heldAggregates: held, limit: limit, floor: floor.number))
            : try await settleConfirmed(
                andRead: SelectUnpublishedBeside(
                    heldAggregates: held, heldExchanges: exchanges, limit: limit, floor: floor.number))
        try await raiseFloor()
        guard let last = read.last else { return false }
        highestRead = max(highestRead, last.seq)
        let (rows, probes) = plan.probing(read)
        MessagingMetrics.relayed(batch: rows.count + probes.count)
        // After a message that was not published, for whatever reason, later ones of its aggregate must not be
        // published in this batch.
        var stopped: Set<String> = []
        for wave in RelayPlan.waves(rows) {
            try await keepLease()
            stopped.formUnion(await send(wave.filter { !stopped.contains($0.record.aggregate) }))
        }
        for probe in probes where !stopped.contains(probe.record.aggregate) {
            try await keepLease()
            _ = await send([probe])
        }
        guard !confirmed.isEmpty else {
            await relay.pause(.milliseconds(50))
            return false
        }
        // There is more when the batch was full, or when only the first message to a failed exchange was tried.
        return read.count == limit || rows.count + probes.count < read.count
    }

    /// Two statements, one after the other, each with its own snapshot.
    private func raiseFloor() async throws {
        guard nextFloorLook <= .now, highestRead >= floor.number else { return }
        let (writers, lowest) = try await session.queryAll(OutboxWriters(), LowestWaiting(floor: floor.number))
        floor.look(highest: highestRead, writers: writers, lowest: lowest.first)
        nextFloorLook = .now + Self.floorInterval
    }

    /// In one transaction and one round trip.
    private func settleConfirmed<Read: Statement>(
        andRead read: Read
    ) async throws -> [OutboxRow] where Read.Row == OutboxRow {
        let rows: [OutboxRow]
        if confirmed.isEmpty {
            rows = try await session.query(read)
        } else if keepsPublished {
            rows = try await session.queryAll(MarkPublished(numbers: confirmed), read).1
        } else {
            rows = try await session.queryAll(RemovePublished(numbers: confirmed), read).1
        }
        confirmed = []
        return rows
    }

    /// Publishes the messages together and returns the aggregates of those that were not confirmed.
    private func send(_ rows: [OutboxRow]) async -> Set<String> {
        guard !rows.isEmpty else { return [] }
        if Task.isCancelled { return Set(rows.map(\.record.aggregate)) }
        var stopped: Set<String> = []
        let messages = rows.map { $0.record.outbound(producer: relay.producer) }
        let outcomes = await relay.publisher.publish(
            batch: messages, deadline: min(.now + relay.configuration.publishTimeout, leaseEnd))
        for (row, outcome) in zip(rows, outcomes) {
            switch outcome {
            case .success:
                confirmed.append(row.seq)
                plan.confirmed(row.record.aggregate, name: row.record.name, exchange: row.record.exchange)
            case .failure(.unroutable) where !row.record.isCommand:
                if returned(row) { confirmed.append(row.seq) } else { stopped.insert(row.record.aggregate) }
            case .failure(let error):
                stopped.insert(row.record.aggregate)
                failed(row, error)
            }
        }
        return stopped
    }

    /// Handles an event that no queue took: an event without a reader is no error of its publisher.
    /// - Returns: whether the event is dropped.
    private func returned(_ row: OutboxRow) -> Bool {
        plan.reached(row.record.exchange)
        let isDone = plan.returned(
            row.record.aggregate, name: row.record.name, now: .now, patience: relay.configuration.readerPatience)
        if isDone { MessagingMetrics.unheard(row.record.name) }
        relay.logger.debug(
            isDone ? "an event has no reader" : "an event waits for a reader",
            metadata: [
                "message.id": "\(row.record.id)", "message.name": "\(row.record.name)",
                "correlation.id": "\(row.record.aggregate)",
            ])
        return isDone
    }

    /// An outage of the broker concerns all messages. An error of one message holds back its aggregate; an error of its
    /// exchange holds back all messages to that exchange.
    private func failed(_ row: OutboxRow, _ error: PublishError) {
        let (record, now) = (row.record, ContinuousClock.now)
        switch error {
        case .notSent, .outcomeUnknown: return
        case .exchangeUnavailable:
            MessagingMetrics.relayFailure()
            guard plan.failed(exchange: record.exchange, now: now) else { return }
            relay.logger.error(
                "an exchange is not there, or not for this service, and what goes to it is held back",
                metadata: ["exchange": "\(record.exchange)", "message.name": "\(record.name)", "error": "\(error)"])
            return
        case .unroutable, .refused:
            plan.reached(record.exchange)
            plan.failed(record.aggregate, now: now)
        case .tooLarge, .invalid: plan.failed(record.aggregate, now: now)
        }
        MessagingMetrics.relayFailure()
        guard plan.holds.count <= 10 else { return }
        relay.logger.error(
            "a message cannot be published and holds back its aggregate",
            metadata: [
                "message.id": "\(row.record.id)", "message.name": "\(row.record.name)",
                "correlation.id": "\(row.record.aggregate)", "error": "\(error)",
            ])
    }

    private func purge() async throws {
        guard nextPurge <= .now else { return }
        var removed = 0
        if keepsPublished || hasHistory {
            removed = try await session.execute(
                PurgeOutbox(keepSeconds: relay.configuration.keepPublished / .seconds(1)))
            // Without marked messages, each purge would read past all waiting ones.
            hasHistory = removed > 0
        }
        // After a full batch there is more to delete; otherwise there is time.
        nextPurge = .now + (removed >= 1000 ? .milliseconds(100) : relay.configuration.purgeInterval)
        let backlog = try await session.query(OutboxBacklog(floor: floor.number)).first
        MessagingMetrics.outbox(waiting: backlog?.count ?? 0, oldestSeconds: backlog?.oldestSeconds ?? 0)
    }
}

extension OutboxRecord {
    func outbound(producer: String) -> OutboundMessage {
        var headers: [String: HeaderValue] = [:]
        if let causation { headers[Envelope.Header.causation] = .string(causation.text) }
        if let traceparent { headers[Envelope.Header.traceparent] = .string(traceparent) }
        if let requestID { headers[Envelope.Header.requestID] = .string(requestID) }
        return OutboundMessage(
            exchange: exchange, routingKey: name, body: Array(payload.utf8),
            properties: MessageProperties(
                messageID: id.text, type: name, timestampSeconds: UInt64(max(0, occurredAt.timeIntervalSince1970)),
                correlationID: aggregate, appID: producer, contentType: "application/json", headers: headers),
            isMandatory: isMandatory)
    }
}
