import PollThread

/// The consuming role of a link: passes deliveries to the box, and settlements from it to the broker in as few frames
/// as possible.
final class ConsumingRole: ChannelRole {
    let purpose: Connector.Purpose
    private let box: DeliveryBox
    private let prefetch: Int
    private let settlementBurst: Int
    private let metrics: AMQPMetrics

    private var epoch: UInt64 = 0
    private var ledger = AckLedger()
    private var arrived: [Delivery] = []
    private var settlements: [DeliveryBox.Settlement] = []
    /// When settlements are written if no more come.
    private var flushDeadline: ContinuousClock.Instant?
    private var windowEnd: ContinuousClock.Instant?
    /// Settled behind a gap, and held back until it closes.
    private var heldCount = 0
    /// Since when the same delivery has been the gap.
    private var gapSince: ContinuousClock.Instant?
    private var isClosing = false
    /// Outstanding deliveries that came too late to be handed out.
    private var unclaimedCount = 0
    private var counts = AMQPMetrics.Turn()
    private var lastInFlight = 0

    /// How long a few settlements wait for more. A quorum queue syncs the disk for each of their frames before newly
    /// published messages. They may wait because no caller waits for them. After a lost connection the broker delivers
    /// these messages again, at most a burst, which a consumer must be able to handle in any case.
    private static let flushDelay = Duration.milliseconds(100)

    /// How long acks wait for a gap to close. Workers finish in another order than they began, a moment apart; acks do
    /// not wait for work that takes longer.
    private static let gapDelay = Duration.milliseconds(200)

    init(queue: String, prefetch: Int, settlementBurst: Int, box: DeliveryBox, metrics: AMQPMetrics) {
        purpose = .consuming(queue: queue, prefetch: prefetch)
        self.box = box
        self.prefetch = prefetch
        self.settlementBurst = settlementBurst
        self.metrics = metrics
    }

    /// Whether every handed-out delivery is settled and the broker has been told.
    var isIdle: Bool { ledger.outstandingCount == unclaimedCount && ledger.unwrittenCount == 0 }

    var nextDeadline: ContinuousClock.Instant? {
        [flushDeadline, windowEnd, gapSince.map { $0 + Self.gapDelay }].compactMap { $0 }.min()
    }

    func expire(now: ContinuousClock.Instant) {
        // Both are checked in every turn.
    }

    // MARK: Turns

    func takeRequests(now: ContinuousClock.Instant) {
        box.takeSettlements(&settlements)
        for settlement in settlements {
            switch settlement {
            case .ack(let tag):
                if tag.epoch == epoch && ledger.ack(tag.number) { counts.acked += 1 }
            case .reject(let tag, let requeue):
                if tag.epoch == epoch && ledger.reject(tag.number, requeue: requeue) { counts.rejected += 1 }
            }
        }
        settlements.removeAll(keepingCapacity: true)
        if ledger.unwrittenCount > heldCount && flushDeadline == nil { flushDeadline = now + Self.flushDelay }
    }

    func write(to connection: BrokerConnection, now: ContinuousClock.Instant) throws(AMQPError) -> Bool {
        let isDue = flushDeadline.map { $0 <= now } ?? false
        let isStuck = gapSince.map { $0 + Self.gapDelay <= now } ?? false
        let isWorthIt = ledger.unwrittenCount - heldCount >= settlementBurst
        guard isWorthIt || isDue || isStuck || isClosing else { return false }
        flushDeadline = nil
        let oldest = ledger.oldestTag
        // This many unsettled deliveries would keep the broker from sending more.
        let isPressing = 2 * ledger.unwrittenCount >= prefetch
        var failure: AMQPError?
        ledger.flush(passingGaps: isStuck || isPressing || isClosing) { frame in
            do throws(AMQPError) {
                switch frame {
                case .ack(let tag, let multiple): try connection.writer.ack(tag, multiple: multiple)
                case .reject(let tag, let requeue): try connection.writer.reject(tag, requeue: requeue)
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        heldCount = ledger.unwrittenCount
        if heldCount == 0 {
            gapSince = nil
        } else if gapSince == nil || ledger.oldestTag != oldest {
            gapSince = now
        }
        return false
    }

    func endTurn(now: ContinuousClock.Instant) {
        if isClosing {
            unclaimedCount += arrived.count
            arrived.removeAll()
        } else {
            windowEnd = box.deliver(&arrived, isWindowFull: ledger.outstandingCount >= prefetch, now: now)
        }
        metrics.record(counts)
        counts = AMQPMetrics.Turn()
        if lastInFlight != ledger.outstandingCount {
            lastInFlight = ledger.outstandingCount
            metrics.setInFlight(lastInFlight)
        }
    }

    // MARK: Events

    func opened(epoch: UInt64) {
        self.epoch = epoch
    }

    func handle(_ event: ChannelEvent) throws(AMQPError) {
        switch event {
        case .delivery(let delivery):
            try record(delivery.tag.number)
            counts.delivered += 1
            arrived.append(delivery)
        case .tooLarge(let number, _):
            try record(number)
            ledger.reject(number, requeue: false)
            counts.rejected += 1
        case .confirm, .returned: throw AMQPError(.protocolError, "a confirm or return on a consuming channel")
        case .blocked, .unblocked, .closed: break
        }
    }

    private func record(_ number: UInt64) throws(AMQPError) {
        guard ledger.delivered(number) else { throw AMQPError(.protocolError, "delivery \(number) is out of order") }
    }

    /// All deliveries of this connection are void: the broker delivers them again.
    func lost(_ error: AMQPError) {
        epoch = 0
        ledger = AckLedger()
        heldCount = 0
        gapSince = nil
        arrived.removeAll()
        box.clear()
        flushDeadline = nil
        windowEnd = nil
        unclaimedCount = 0
    }

    // MARK: The end

    func beginClosing(_ connection: BrokerConnection?) throws(AMQPError) {
        isClosing = true
        unclaimedCount = box.end() + arrived.count
        arrived.removeAll()
        windowEnd = nil
        try connection?.writer.cancelConsumer(Connector.consumerTag)
    }

    func ended() {
        _ = box.end()
    }
}
