import Synchronization

/// Buffer for the phones' reports until they are written; safe from any thread.
final class PositionInbox: Sendable {
    private let buffer: Mutex<PositionBuffer>

    /// - Parameter limit: maximum number of providers with waiting reports.
    init(limit: Int) { buffer = Mutex(PositionBuffer(limit: limit)) }

    /// - Returns: false if the buffer is full, since the database has accepted nothing for a while.
    func put(_ report: PositionReport) -> Bool { buffer.withLock { $0.put(report) } }

    func takeAll() -> [PositionReport] { buffer.withLock { $0.takeAll() } }

    /// Puts back reports that could not be written. Newer ones that arrived meanwhile stay.
    func putBack(_ reports: some Sequence<PositionReport>) {
        buffer.withLock { buffer in
            for report in reports { _ = buffer.put(report) }
        }
    }

    var count: Int { buffer.withLock { $0.count } }
}
