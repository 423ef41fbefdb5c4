import DequeModule
import PollThread

/// The publishing role of a link: messages that wait to be written, and messages that wait for their confirm.
final class PublishingRole: ChannelRole {
    typealias Outcome = PublishInbox.Outcome

    /// The outcomes of a batch until all are there.
    private final class Batch {
        let submission: Submission
        let continuation: UnsafeContinuation<[Outcome], Never>
        var outcomes: [Outcome]
        var missing: Int

        init(_ submission: Submission, _ continuation: UnsafeContinuation<[Outcome], Never>) {
            self.submission = submission
            self.continuation = continuation
            missing = submission.batch.count
            outcomes = Array(repeating: .success(()), count: missing)
        }
    }

    /// One message with the caller that waits for it.
    private enum Waiter {
        case one(Submission, UnsafeContinuation<Outcome, Never>)
        case part(Batch, Int)

        var submission: Submission {
            switch self {
            case .one(let submission, _): submission
            case .part(let batch, _): batch.submission
            }
        }

        var message: OutboundMessage {
            switch self {
            case .one(let submission, _): submission.message(at: 0)
            case .part(let batch, let index): batch.submission.message(at: index)
            }
        }

        func tell(_ outcome: Outcome) {
            switch self {
            case .one(_, let continuation): continuation.resume(returning: outcome)
            case .part(let batch, let index):
                batch.outcomes[index] = outcome
                batch.missing -= 1
                if batch.missing == 0 { batch.continuation.resume(returning: batch.outcomes) }
            }
        }
    }

    private let inbox: PublishInbox
    private let inFlightLimit: Int
    private let bodyLimitBytes: Int
    private let metrics: AMQPMetrics

    private var requests: [PublishInbox.Request] = []
    private var waiting: Deque<Waiter> = []
    private var ledger: ConfirmLedger<Waiter>
    private var isBlocked = false
    private var counts = AMQPMetrics.Turn()
    private var lastInFlight = 0
    /// Not later than any waiting caller's deadline.
    private(set) var nextDeadline: ContinuousClock.Instant?

    /// Enough for one write; more would only be copied earlier.
    private static let outputLimitBytes = 128 << 10
    /// Deadlines are checked at most this often, because each check walks all waiting messages.
    private static let expiryStep = Duration.milliseconds(5)

    init(inbox: PublishInbox, inFlightLimit: Int, bodyLimitBytes: Int, metrics: AMQPMetrics) {
        self.inbox = inbox
        self.inFlightLimit = max(1, inFlightLimit)
        self.bodyLimitBytes = bodyLimitBytes
        self.metrics = metrics
        ledger = ConfirmLedger(capacity: inFlightLimit)
    }

    var purpose: Connector.Purpose { .publishing }

    var isIdle: Bool { waiting.isEmpty && ledger.isEmpty }

    // MARK: Requests

    func takeRequests(now: ContinuousClock.Instant) {
        let hasCancellation = inbox.take(&requests)
        for request in requests {
            switch request {
            case .one(let submission, let continuation):
                enqueue(.one(submission, continuation), now)
            case .batch(let submission, let continuation):
                let batch = Batch(submission, continuation)
                for index in submission.batch.indices { enqueue(.part(batch, index), now) }
            }
        }
        requests.removeAll(keepingCapacity: true)
        if hasCancellation { abandon(now: now) }
    }

    private func enqueue(_ waiter: Waiter, _ now: ContinuousClock.Instant) {
        let deadline = waiter.submission.deadline
        // The cancellation may have come, and been looked for, before the message.
        if waiter.submission.isCancelled { return waiter.tell(.failure(.notSent(.cancelled))) }
        guard deadline > now else { return waiter.tell(.failure(.notSent(.deadlineExceeded))) }
        if let fault = waiter.message.fault(bodyLimitBytes: bodyLimitBytes) { return waiter.tell(.failure(fault)) }
        waiting.append(waiter)
        nextDeadline = nextDeadline.map { min($0, deadline) } ?? deadline
    }

    func write(to connection: BrokerConnection, now: ContinuousClock.Instant) throws(AMQPError) -> Bool {
        // Messages without a waiting caller fill the limit, and the broker may never settle them: on a new connection
        // nothing is in flight.
        if !isBlocked, !waiting.isEmpty, ledger.inFlightCount >= inFlightLimit, ledger.isAbandoned {
            throw AMQPError(.timedOut, "the broker has confirmed none of \(ledger.inFlightCount) messages in time")
        }
        while connection.writer.output.count < Self.outputLimitBytes {
            guard !isBlocked, ledger.inFlightCount < inFlightLimit, let waiter = waiting.popFirst() else {
                return false
            }
            // A process that was stopped continues here before it reads its clock.
            guard waiter.submission.deadline > now else {
                waiter.tell(.failure(.notSent(.deadlineExceeded)))
                continue
            }
            do throws(AMQPError) {
                try connection.writer.publish(waiter.message)
                ledger.append(waiter, deadline: waiter.submission.deadline)
                counts.published += 1
            } catch {
                // Nothing of the message is in the buffer.
                waiter.tell(.failure(.invalid(reason: "the properties are too large for the broker's frames")))
            }
        }
        return true
    }

    // MARK: Events

    func opened(epoch: UInt64) {}

    func handle(_ event: ChannelEvent) throws(AMQPError) {
        switch event {
        case .confirm(let tag, let multiple, let isAck): settle(tag, multiple, isAck)
        case .returned(let returned):
            counts.returned += 1
            ledger.markReturned(code: returned.code, text: returned.text) { waiter in
                let message = waiter.message
                return message.isMandatory && message.exchange == returned.exchange
                    && message.routingKey == returned.routingKey && message.properties.messageID == returned.messageID
            }
        case .blocked: isBlocked = true
        case .unblocked: isBlocked = false
        case .delivery, .tooLarge: throw AMQPError(.protocolError, "a delivery on a publishing channel")
        case .closed: break
        }
    }

    private func settle(_ tag: UInt64, _ multiple: Bool, _ isAck: Bool) {
        let settled = ledger.settle(tag, multiple: multiple, isAck: isAck) { waiter, outcome in
            switch outcome {
            case .confirmed: waiter.tell(.success(()))
            case .refused: waiter.tell(.failure(.refused))
            case .unroutable(let code, let text): waiter.tell(.failure(.unroutable(code: code, text: text)))
            }
        }
        if isAck { counts.confirmed += settled } else { counts.refused += settled }
    }

    func endTurn(now: ContinuousClock.Instant) {
        metrics.record(counts)
        counts = AMQPMetrics.Turn()
        if lastInFlight != ledger.inFlightCount {
            lastInFlight = ledger.inFlightCount
            metrics.setInFlight(lastInFlight)
        }
    }

    /// Written messages may have arrived. A publish to a missing exchange closes the channel, and the broker's text
    /// names the exchange.
    func lost(_ error: AMQPError) {
        isBlocked = false
        ledger.removeAll { waiter in
            if let code = error.replyCode, code == 404 || code == 403,
                error.message.contains("exchange '\(waiter.message.exchange)'")
            {
                waiter.tell(.failure(.exchangeUnavailable(code: code, text: error.message)))
            } else {
                waiter.tell(.failure(.outcomeUnknown(.connectionLost)))
            }
        }
    }

    // MARK: Deadlines and the end

    func expire(now: ContinuousClock.Instant) { abandon(now: now) }

    /// Fails the callers whose deadline is over or whose task was cancelled.
    private func abandon(now: ContinuousClock.Instant) {
        ledger.abandon(dueAt: now) {
            $0.submission.isCancelled
        } _: { waiter in
            waiter.tell(.failure(.outcomeUnknown(waiter.submission.isCancelled ? .cancelled : .deadlineExceeded)))
        }
        var earliest = ledger.earliestDeadline
        waiting.removeAll { waiter in
            let submission = waiter.submission
            if submission.isCancelled {
                waiter.tell(.failure(.notSent(.cancelled)))
            } else if submission.deadline <= now {
                waiter.tell(.failure(.notSent(isBlocked ? .blocked : .deadlineExceeded)))
            } else {
                earliest = earliest.map { min($0, submission.deadline) } ?? submission.deadline
                return false
            }
            return true
        }
        nextDeadline = earliest.map { max($0, now + Self.expiryStep) }
    }

    func beginClosing(_ connection: BrokerConnection?) { inbox.close() }

    func ended() {
        inbox.close()
        takeRequests(now: .now)
        while let waiter = waiting.popFirst() { waiter.tell(.failure(.notSent(.closed))) }
        ledger.removeAll { $0.tell(.failure(.outcomeUnknown(.connectionLost))) }
    }
}
