import DequeModule

/// The unconfirmed messages of one channel. Pure: no IO, no clock.
///
/// The broker numbers messages from 1, and confirms by number, singly or up to one (`multiple`), in any order. A
/// message that no queue takes is first returned, without its number, and then confirmed like any other.
/// https://www.rabbitmq.com/docs/3.10/confirms
struct ConfirmLedger<Reference> {
    enum Outcome: Equatable {
        case confirmed
        case refused
        case unroutable(code: Int, text: String)
    }

    private struct Entry {
        /// Nil once no caller waits for it: settled, expired or withdrawn.
        var reference: Reference?
        let deadline: ContinuousClock.Instant
        var returned: (code: Int, text: String)?
        var isSettled = false
    }

    /// Entry `i` has the number `firstTag + i`; the first one is never settled.
    private var entries: Deque<Entry> = []
    private var firstTag: UInt64 = 1

    /// Written and not confirmed, whether a caller waits or not.
    private(set) var inFlightCount = 0

    var isEmpty: Bool { inFlightCount == 0 }

    /// Whether messages are in flight and no caller waits for any of them.
    var isAbandoned: Bool { !isEmpty && entries.allSatisfy { $0.reference == nil } }

    init(capacity: Int) {
        entries.reserveCapacity(capacity)
    }

    /// Records the next written message. Returns its number.
    @discardableResult
    mutating func append(_ reference: Reference, deadline: ContinuousClock.Instant) -> UInt64 {
        entries.append(Entry(reference: reference, deadline: deadline))
        inFlightCount += 1
        return firstTag + UInt64(entries.count - 1)
    }

    /// Records the return of the oldest message in flight that matches. Returns false if none does.
    @discardableResult
    mutating func markReturned(code: Int, text: String, where matches: (Reference) -> Bool) -> Bool {
        for index in entries.indices where !entries[index].isSettled && entries[index].returned == nil {
            if let reference = entries[index].reference, matches(reference) {
                entries[index].returned = (code, text)
                return true
            }
        }
        return false
    }

    /// Applies an ack or nack and reports each message that a caller waits for.
    /// - Returns: the number of settled messages. A number out of range settles none.
    @discardableResult
    mutating func settle(
        _ tag: UInt64, multiple: Bool, isAck: Bool, _ tell: (Reference, Outcome) -> Void
    ) -> Int {
        // Zero with `multiple` means all messages so far.
        let last = tag == 0 && multiple ? entries.count - 1 : Int(clamping: tag) - Int(clamping: firstTag)
        guard last >= 0, last < entries.count else { return 0 }
        var settled = 0
        for index in (multiple ? 0 : last)...last where !entries[index].isSettled {
            entries[index].isSettled = true
            settled += 1
            guard let reference = entries[index].reference else { continue }
            entries[index].reference = nil
            if !isAck {
                tell(reference, .refused)
            } else if let (code, text) = entries[index].returned {
                tell(reference, .unroutable(code: code, text: text))
            } else {
                tell(reference, .confirmed)
            }
        }
        inFlightCount -= settled
        while let first = entries.first, first.isSettled {
            entries.removeFirst()
            firstTag += 1
        }
        return settled
    }

    /// Stops waiting for messages that are due or match. They stay in flight until the broker settles them.
    mutating func abandon(
        dueAt now: ContinuousClock.Instant, or matches: (Reference) -> Bool = { _ in false },
        _ tell: (Reference) -> Void
    ) {
        for index in entries.indices {
            guard let reference = entries[index].reference else { continue }
            if entries[index].deadline <= now || matches(reference) {
                entries[index].reference = nil
                tell(reference)
            }
        }
    }

    /// The earliest deadline of messages that a caller waits for.
    var earliestDeadline: ContinuousClock.Instant? {
        var earliest: ContinuousClock.Instant?
        for entry in entries where entry.reference != nil {
            earliest = earliest.map { min($0, entry.deadline) } ?? entry.deadline
        }
        return earliest
    }

    /// Forgets everything after the end of the channel; numbers begin at 1 again.
    mutating func removeAll(_ tell: (Reference) -> Void) {
        for entry in entries {
            if let reference = entry.reference { tell(reference) }
        }
        entries.removeAll(keepingCapacity: true)
        firstTag = 1
        inFlightCount = 0
    }
}
