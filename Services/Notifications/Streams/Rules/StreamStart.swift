/// The first event of a stream.
struct StreamStart: Sendable, Equatable {
    /// Events after this number are sent.
    let after: Int
    /// Whether some requested events are purged; the client then reads its lists again.
    let hasMissed: Bool

    /// - Parameters:
    ///   - wanted: the last number that the client has seen; nil starts with new events.
    ///   - last: the account's last number; 0 if it has none.
    ///   - oldestKept: the oldest stored number.
    init(wanted: Int?, last: Int, oldestKept: Int?) {
        guard let wanted else {
            after = last
            hasMissed = false
            return
        }
        // A number that was never given belongs to another database, so resuming is impossible.
        guard wanted <= last else {
            after = last
            hasMissed = true
            return
        }
        let next = oldestKept ?? last + 1
        hasMissed = wanted + 1 < next
        // Purged events are not waited for.
        after = max(wanted, next - 1)
    }

    /// Parses a `Last-Event-ID`; nil if it is not a number.
    static func number(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 18, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}
