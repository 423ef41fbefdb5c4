import Contracts
import Foundation

/// When visits of care partners may be.
enum CareTime {
    /// How far ahead a visit may be ordered.
    static let ahead: TimeInterval = 366 * 86_400

    enum Fault: Error, Equatable {
        case past
        case tooFarAhead
        /// Not wholly within the market's hours.
        case closed
    }

    /// - Parameters:
    ///   - start: nil is at once.
    ///   - hours: nil is at all hours.
    static func check(
        _ start: Date?, minutes: Int, hours: OpeningHours?, timeZone: String, at now: Date
    ) throws(Fault) {
        if let start {
            guard start > now else { throw .past }
            guard start.timeIntervalSince(now) <= ahead else { throw .tooFarAhead }
        }
        guard let hours else { return }
        let start = start ?? now
        // The last minute of it, so that one may end with the hours.
        let end = start.addingTimeInterval(Double(max(1, minutes)) * 60 - 1)
        for moment in [start, end] {
            guard let minute = LocalTime.minuteOfDay(of: moment, in: timeZone), hours.isOpen(minuteOfDay: minute) else {
                throw .closed
            }
        }
    }
}
