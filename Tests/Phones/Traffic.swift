import Synchronization

/// What the phones of a network have seen of it so far.
public final class Traffic: Sendable {
    public struct Counts: Sendable {
        /// Answers by HTTP status.
        public var answers: [Int: Int] = [:]
        /// Attempts without an answer: refused, reset, timed out.
        public var broken = 0
        /// Streams that ended and were taken up again.
        public var resumed = 0
        /// The first few answers of 500 and above: status, method, path and what they said.
        public var faults: [String] = []
    }

    private static let faultLimit = 20
    private let state = Mutex(Counts())

    public init() {}

    public var counts: Counts { state.withLock { $0 } }

    func answered(_ status: Int, _ description: @autoclosure () -> String) {
        let fault = status >= 500 ? description() : nil
        state.withLock { counts in
            counts.answers[status, default: 0] += 1
            if let fault, counts.faults.count < Self.faultLimit { counts.faults.append("\(status) \(fault)") }
        }
    }

    func broke() { state.withLock { $0.broken += 1 } }
    func resumed() { state.withLock { $0.resumed += 1 } }
}
