public import Foundation

extension QueryForm {
    /// Whether the query names a first or a last day.
    public var asksForDays: Bool { self["from"] != nil || self["to"] != nil }

    /// The days `from`…`to` in the zone; nil when they are wrong.
    public func days(timeZone: String, now: Date) -> DayRange? {
        let from = text("from").map(TypedText.asciiDigits)
        let to = text("to").map(TypedText.asciiDigits)
        do {
            return try DayRange(from: from, to: to, timeZone: timeZone, now: now)
        } catch {
            switch error {
            case .notADay(let field): reject(field, "not-a-day")
            case .endsBeforeItBegins: reject("to", "ends-before-it-begins")
            case .tooLong(let maximum): reject("from", "too-many-days", ["maximum": String(maximum)])
            case .unknownZone: reject("from", "invalid-value")
            }
            return nil
        }
    }
}
