import Foundation
import Matching

/// Position reports that wait to be written: the newest one of each provider.
struct PositionBuffer: Sendable {
    /// Maximum number of providers.
    let limit: Int
    private var newest: [UUID: PositionReport] = [:]

    init(limit: Int) { self.limit = limit }

    var count: Int { newest.count }

    /// - Returns: false if the buffer is full and has no report of this provider.
    mutating func put(_ report: PositionReport) -> Bool {
        guard let known = newest[report.provider] else {
            guard newest.count < limit else { return false }
            newest[report.provider] = report
            return true
        }
        var kept = known.fix.at < report.fix.at ? report : known
        kept.isManual = known.isManual || report.isManual
        newest[report.provider] = kept
        return true
    }

    /// Removes and returns all reports.
    mutating func takeAll() -> [PositionReport] {
        defer { newest.removeAll(keepingCapacity: true) }
        return Array(newest.values)
    }
}
