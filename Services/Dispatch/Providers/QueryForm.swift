import Contracts
import Foundation
import Hummingbird
import Matching
import ServiceKit

/// Reads query parameters and collects all errors.
final class QueryForm {
    private let parameters: QueryParameters
    private var problems: [FieldProblem] = []

    init(_ request: Request) { parameters = QueryParameters(request) }

    var isValid: Bool { problems.isEmpty }
    /// A 400 that lists all invalid parameters.
    var problem: Problem { Problem("invalid-query", status: .badRequest, fields: problems) }

    func reject(_ name: String, _ code: String, _ arguments: [String: String] = [:]) {
        problems.append(FieldProblem(JSONPointer([name]), code, arguments))
    }

    /// Empty if the parameter is absent; an error if it is required.
    func text(_ name: String, upTo limit: Int, required: Bool = false) -> String {
        let text = parameters[name] ?? ""
        if text.isEmpty, required { reject(name, "required") }
        if text.utf8.count > TextRule.maximumBytesPerCharacter * limit || text.count > limit {
            reject(name, "too-long", ["maximum": String(limit)])
        }
        return text
    }

    /// One of the choices; nil if absent or invalid.
    func choice(_ name: String, of choices: [String]) -> String? {
        let text = text(name, upTo: 100)
        guard !text.isEmpty else { return nil }
        guard choices.contains(text) else {
            reject(name, "not-a-choice", ["choices": choices.joined(separator: ", ")])
            return nil
        }
        return text
    }

    func integer(_ name: String, in range: ClosedRange<Int>, otherwise absent: Int) -> Int {
        let text = TypedText.asciiDigits(text(name, upTo: 20))
        guard !text.isEmpty else { return absent }
        guard let number = Int(plain: text) else {
            reject(name, "not-a-whole-number")
            return absent
        }
        guard range.contains(number) else {
            reject(name, "out-of-range", ["minimum": String(range.lowerBound), "maximum": String(range.upperBound)])
            return absent
        }
        return number
    }

    /// The parameters `latitude` and `longitude`; nil if one is missing or invalid.
    func place() -> GeoPoint? {
        place("latitude", "longitude", required: true)
    }

    /// Nil if both are absent, or if one is missing or invalid.
    func place(_ latitudeName: String, _ longitudeName: String, required: Bool = false) -> GeoPoint? {
        let isAbsent = parameters[latitudeName] == nil && parameters[longitudeName] == nil
        if isAbsent, !required { return nil }
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
        guard let text = parameters[name].map(TypedText.asciiDigits) else { return nil }
        let day = text.utf8.count == 10 ? LocalDay(text) : nil
        if day == nil { reject(name, "not-a-day") }
        return day
    }

    /// An RFC 3339 timestamp; nil if absent or invalid.
    func moment(_ name: String) -> Date? {
        guard let text = parameters.time(name) else { return nil }
        let moment = Timestamp.parse(text)
        if moment == nil { reject(name, "not-a-time") }
        return moment
    }

    private func degrees(_ name: String, _ limit: Int) -> Double? {
        let text = TypedText.asciiDigits(text(name, upTo: 40, required: true))
        guard !text.isEmpty else { return nil }
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
