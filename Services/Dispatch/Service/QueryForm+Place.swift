import Contracts
import Foundation
import Hummingbird
import Matching
import ServiceKit

/// Parameters that only dispatch has: places and days of a market's calendar.
extension QueryForm {
    /// A query of dispatch: what it does not know, and texts and numbers without a value, count as absent.
    convenience init(lenient request: Request) { self.init(request, ignoring: .unknownAndEmpty) }

    /// The parameters `latitude` and `longitude`; nil if one is missing or invalid.
    func place() -> GeoPoint? { place("latitude", "longitude", isRequired: true) }

    /// Nil if both are absent, or if one is missing or invalid.
    func place(_ latitudeName: String, _ longitudeName: String, isRequired: Bool = false) -> GeoPoint? {
        let isAbsent = self[latitudeName] == nil && self[longitudeName] == nil
        if isAbsent, !isRequired { return nil }
        let latitude = degrees(latitudeName, 90)
        let longitude = degrees(longitudeName, 180)
        guard let latitude, let longitude else { return nil }
        guard !Form.isNowhere(latitude: latitude, longitude: longitude) else {
            reject(latitudeName, "no-place")
            return nil
        }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }

    /// A day such as `2026-11-22`; nil if absent or invalid.
    func day(_ name: String) -> LocalDay? {
        guard let text = self[name].map(TypedText.asciiDigits) else { return nil }
        let day = text.utf8.count == 10 ? LocalDay(text) : nil
        if day == nil { reject(name, "not-a-day") }
        return day
    }

    private func degrees(_ name: String, _ limit: Int) -> Double? {
        guard let text = text(name, isRequired: true).map(TypedText.asciiDigits) else { return nil }
        guard let degrees = Double(plain: text) else {
            reject(name, "not-a-number")
            return nil
        }
        // The comparison is false for NaN, too.
        guard abs(degrees) <= Double(limit) else {
            reject(name, "out-of-range", ["minimum": String(-limit), "maximum": String(limit)])
            return nil
        }
        return degrees
    }
}
