import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import ServiceKit

/// Reads the query's parameters and collects everything that is wrong with them.
struct QueryReader {
    private let parameters: QueryParameters
    private var read: Set<String> = []
    private(set) var problems: [FieldProblem] = []

    init(_ request: Request) { parameters = QueryParameters(request) }

    /// Nil when it is absent. What is there and empty is not the same as nothing: `from=` would ask for everything.
    /// - Parameter isSearch: whether it is what somebody types into a field of a list, where nothing typed asks for all.
    mutating func text(_ name: String, maximum: Int = 100, isSearch: Bool = false) -> String? {
        read.insert(name)
        guard let text = parameters[name] else { return nil }
        guard !text.isEmpty else {
            if !isSearch { reject(name, "required") }
            return nil
        }
        guard text.count <= maximum else {
            reject(name, "too-long", ["maximum": String(maximum)])
            return nil
        }
        return text
    }

    mutating func uuid(_ name: String) -> UUID? {
        guard let text = text(name) else { return nil }
        if let id = UUID(uuidString: text) { return id }
        reject(name, "not-an-id")
        return nil
    }

    mutating func choice(_ name: String, of choices: [String]) -> String? {
        guard let text = text(name) else { return nil }
        if choices.contains(text) { return text }
        reject(name, "not-a-choice", ["choices": choices.joined(separator: ", ")])
        return nil
    }

    /// A code of ISO 4217.
    mutating func currency() -> String? {
        guard let code = text("currency") else { return nil }
        if Currency.named(code) != nil { return code }
        reject("currency", "not-a-currency")
        return nil
    }

    /// The days `from`…`to` in the zone; nil when they are wrong.
    mutating func days(timeZone: String, now: Date) -> DayRange? {
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

    mutating func reject(_ name: String, _ code: String, _ arguments: [String: String] = [:]) {
        problems.append(FieldProblem(JSONPointer([name]), code, arguments))
    }

    /// Called after all parameters were read.
    ///
    /// - Throws: a 400 that names every wrong parameter, and every one that was not read.
    func finish() throws(Problem) {
        let problems = problems + parameters.unknown(besides: read)
        guard !problems.isEmpty else { return }
        throw Problem("invalid-query", status: .badRequest, fields: problems)
    }
}

extension Request {
    var asksForDays: Bool {
        let query = QueryParameters(self)
        return query["from"] != nil || query["to"] != nil
    }

    /// Whether the client names `text/csv` among what it accepts, and not JSON.
    var acceptsOnlyCSV: Bool {
        let types = (headers[.accept] ?? "").prefix(500).split(separator: ",").map {
            $0.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        }
        return types.contains("text/csv") && !types.contains("application/json")
    }
}
