import Foundation
import Matching

/// Reports that wait to be written, the newest of each provider.
struct PositionBuffer: Sendable {
    /// Providers.
    let limit: Int
    private var newest: [UUID: PositionReport] = [:]

    init(limit: Int) { self.limit = limit }

    var count: Int { newest.count }

    /// - Returns: false when the buffer is full and knows nothing of this provider yet.
    mutating func put(_ report: PositionReport) -> Bool {
        guard let known = newest[report.provider] else {
            guard newest.count < limit else { return false }
            newest[report.provider] = report
            return true
        }
        var kept = known.fix.at < report.fix.at ? report : known
        kept.isStated = known.isStated || report.isStated
        newest[report.provider] = kept
        return true
    }

    /// Everything, and nothing is left.
    mutating func takeAll() -> [PositionReport] {
        defer { newest.removeAll(keepingCapacity: true) }
        return Array(newest.values)
    }
}
