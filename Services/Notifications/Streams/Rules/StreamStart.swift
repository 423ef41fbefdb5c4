/// Where a stream begins.
struct StreamStart: Sendable, Equatable {
    /// The number after which events are told.
    let after: Int
    /// Whether some that the client asked for are gone: it reads its lists again.
    let hasMissed: Bool

    /// - Parameters:
    ///   - wanted: the number that the client has seen last; nil begins now.
    ///   - last: the account's last number; 0 when it has none.
    ///   - oldestKept: the oldest number that is still there.
    init(wanted: Int?, last: Int, oldestKept: Int?) {
        guard let wanted else {
            after = last
            hasMissed = false
            return
        }
        // A number that was never given out is of another database: nothing of it can be resumed.
        guard wanted <= last else {
            after = last
            hasMissed = true
            return
        }
        let next = oldestKept ?? last + 1
        hasMissed = wanted + 1 < next
        // What is gone is not waited for.
        after = max(wanted, next - 1)
    }

    /// The number in a `Last-Event-ID`; nil for what is none.
    static func number(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 18, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}
