import DequeModule

/// The deliveries of one channel that are not settled yet. Pure: no IO, no clock.
///
/// Settling in any order costs the fewest frames: whatever is acknowledged without a gap from the oldest on goes as one
/// `basic.ack` with `multiple`. What lies behind a gap waits for it to close, or goes one by one; of each such the broker
/// walks through all that is outstanding before it.
struct AckLedger {
    enum Frame: Equatable {
        case ack(UInt64, multiple: Bool)
        case reject(UInt64, requeue: Bool)
    }

    private enum State {
        case outstanding, acked, done
    }

    /// State `i` belongs to the number `firstTag + i`; the first one is never done.
    private var states: Deque<State> = []
    private var firstTag: UInt64 = 1
    /// Acknowledged by the caller, not written yet.
    private var acked: [UInt64] = []
    private var rejections: [Frame] = []

    /// Delivered, and not settled by the caller.
    private(set) var outstandingCount = 0

    /// Settled, and not written yet.
    var unwrittenCount: Int { acked.count + rejections.count }

    /// The number of the oldest delivery of which the broker has not been told.
    var oldestTag: UInt64 { firstTag }

    /// Records a delivery. The broker numbers them from 1 without gaps.
    /// - Returns: false if the number is not the next one.
    mutating func delivered(_ tag: UInt64) -> Bool {
        guard tag == firstTag + UInt64(states.count) else { return false }
        states.append(.outstanding)
        outstandingCount += 1
        return true
    }

    /// Acknowledges one delivery. False, and no effect, if it is unknown or settled already.
    @discardableResult
    mutating func ack(_ tag: UInt64) -> Bool {
        guard let index = index(ofOutstanding: tag) else { return false }
        states[index] = .acked
        acked.append(tag)
        outstandingCount -= 1
        return true
    }

    /// Gives one delivery back, or to the dead letter exchange. False, and no effect, if it is unknown or settled.
    @discardableResult
    mutating func reject(_ tag: UInt64, requeue: Bool) -> Bool {
        guard let index = index(ofOutstanding: tag) else { return false }
        states[index] = .done
        rejections.append(.reject(tag, requeue: requeue))
        outstandingCount -= 1
        return true
    }

    private func index(ofOutstanding tag: UInt64) -> Int? {
        guard tag >= firstTag, tag - firstTag < UInt64(states.count) else { return nil }
        let index = Int(tag - firstTag)
        return states[index] == .outstanding ? index : nil
    }

    /// Hands over the frames for what is settled since the last time, in the order to write them.
    ///
    /// - Parameter passingGaps: whether what lies behind a gap goes, too.
    mutating func flush(passingGaps: Bool, _ write: (Frame) -> Void) {
        // Before the acks: an ack with `multiple` would cover what is rejected.
        for rejection in rejections { write(rejection) }
        rejections.removeAll(keepingCapacity: true)
        var prefixEnd: UInt64?
        let oldest = firstTag
        while let first = states.first, first != .outstanding {
            if first == .acked { prefixEnd = firstTag }
            states.removeFirst()
            firstTag += 1
        }
        if let prefixEnd { write(.ack(prefixEnd, multiple: true)) }
        guard passingGaps else {
            if firstTag > oldest { acked.removeAll { $0 < firstTag } }
            return
        }
        for tag in acked where tag >= firstTag {
            states[Int(tag - firstTag)] = .done
            write(.ack(tag, multiple: false))
        }
        acked.removeAll(keepingCapacity: true)
    }
}
