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
        guard !spansClosedHours(from: start, to: end, minutes: minutes, hours, timeZone) else { throw .closed }
    }

    /// Whether a visit that begins and ends in open hours has closed ones between.
    private static func spansClosedHours(
        from start: Date, to end: Date, minutes: Int, _ hours: OpeningHours, _ timeZone: String
    ) -> Bool {
        let day = 1_440
        let openMinutes = (hours.closeMinute - hours.openMinute + day) % day
        // The same minute for both is open all day.
        guard openMinutes > 0, minutes > day - openMinutes else { return false }
        guard minutes <= openMinutes else { return true }
        func sinceOpening(_ moment: Date) -> Int {
            ((LocalTime.minuteOfDay(of: moment, in: timeZone) ?? 0) - hours.openMinute + day) % day
        }
        return sinceOpening(end) < sinceOpening(start)
    }
}

extension ChangeOrder {
    /// Requires that a visit would be wholly within the market's hours as they are now (O7): a visit "at once" may have
    /// waited, and hours change.
    ///
    /// - Parameter start: a time that is over counts as now.
    /// - Throws: ``ManageOrder/Refusal``
    func requireCareHours(of order: Order, from start: Date, at now: Date) throws {
        let settings = try terms(of: order).settings
        do {
            try CareTime.check(
                start > now ? start : nil, minutes: order.homeCare?.minutes ?? 0, hours: settings.openingHours,
                timeZone: settings.timeZone, at: now)
        } catch {
            throw ManageOrder.Refusal.time(error)
        }
    }
}
