import Synchronization

/// Takes what phones report, at once and from any thread, until it is written.
final class PositionInbox: Sendable {
    private let buffer: Mutex<PositionBuffer>

    /// - Parameter limit: providers whose reports may wait.
    init(limit: Int) { buffer = Mutex(PositionBuffer(limit: limit)) }

    /// - Returns: false when there is no room: the database has not taken anything for long.
    func put(_ report: PositionReport) -> Bool { buffer.withLock { $0.put(report) } }

    func takeAll() -> [PositionReport] { buffer.withLock { $0.takeAll() } }

    /// Puts reports back that could not be written. Newer ones that have come meanwhile stay.
    func putBack(_ reports: some Sequence<PositionReport>) {
        buffer.withLock { buffer in
            for report in reports { _ = buffer.put(report) }
        }
    }

    var count: Int { buffer.withLock { $0.count } }
}
