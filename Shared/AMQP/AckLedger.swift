import DequeModule

/// The unsettled deliveries of one channel. Pure: no IO, no clock.
///
/// Settling costs as few frames as possible in any order: acknowledged deliveries without a gap from the oldest on go
/// as one `basic.ack` with `multiple`. Those behind a gap wait until it closes, or go one by one; for each such frame
/// the broker walks through all outstanding deliveries before it.
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
    /// Acknowledged by the caller, and not yet written.
    private var acked: [UInt64] = []
    private var rejections: [Frame] = []

    /// Delivered, and not settled by the caller.
    private(set) var outstandingCount = 0

    /// Settled, and not yet written.
    var unwrittenCount: Int { acked.count + rejections.count }

    /// The number of the oldest delivery that the broker does not know to be settled.
    var oldestTag: UInt64 { firstTag }

    /// Records a delivery. The broker numbers deliveries from 1 without gaps.
    /// - Returns: false if the number is not the next one.
    mutating func delivered(_ tag: UInt64) -> Bool {
        guard tag == firstTag + UInt64(states.count) else { return false }
        states.append(.outstanding)
        outstandingCount += 1
        return true
    }

    /// Acknowledges one delivery. Returns false, without effect, if it is unknown or already settled.
    @discardableResult
    mutating func ack(_ tag: UInt64) -> Bool {
        guard let index = index(ofOutstanding: tag) else { return false }
        states[index] = .acked
        acked.append(tag)
        outstandingCount -= 1
        return true
    }

    /// Returns one delivery to the queue, or to the dead letter exchange. Returns false, without effect, if it is
    /// unknown or settled.
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

    /// Writes the frames for deliveries settled since the last call, in order.
    ///
    /// - Parameter passingGaps: whether to write those behind a gap too.
    mutating func flush(passingGaps: Bool, _ write: (Frame) -> Void) {
        // Before the acks: an ack with `multiple` would include rejected deliveries.
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
