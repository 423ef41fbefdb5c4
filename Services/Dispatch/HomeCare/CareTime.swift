import Contracts
import Foundation

/// Allowed times of care visits.
enum CareTime {
    /// Maximum time until a visit.
    static let ahead: TimeInterval = 366 * 86_400

    enum Fault: Error, Equatable {
        case past
        case tooFarAhead
        /// Begins or ends outside the market's hours.
        case closed
    }

    /// - Parameters:
    ///   - start: nil means at once.
    ///   - hours: nil means always open.
    static func check(
        _ start: Date?, minutes: Int, hours: OpeningHours?, timeZone: String, at now: Date
    ) throws(Fault) {
        if let start {
            guard start > now else { throw .past }
            guard start.timeIntervalSince(now) <= ahead else { throw .tooFarAhead }
        }
        guard let hours else { return }
        let start = start ?? now
        // One second before the end, so that a visit may end with the opening hours.
        let end = start.addingTimeInterval(Double(max(1, minutes)) * 60 - 1)
        for moment in [start, end] {
            guard let minute = LocalTime.minuteOfDay(of: moment, in: timeZone), hours.isOpen(minuteOfDay: minute) else {
                throw .closed
            }
        }
    }
}
