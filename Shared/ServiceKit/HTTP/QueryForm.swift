import Contracts
public import Foundation
public import Hummingbird
import Messaging

/// Reads the parameters of a request's query and collects everything that is wrong with them, as ``Form`` does with a
/// body. It remembers what was read, which decides the rows of a list and so to which list a cursor belongs.
///
/// ```swift
/// let query = QueryForm(request)
/// let state = query.choice("state", of: Dispute.State.self)
/// let page = try query.page(of: "disputes", .descending, where: ["market": market.id], sealedBy: cursors)
/// let rows = try await pool.query(ListDisputes(state: state, after: page.last, limit: page.fetchLimit))
/// return try page.answer(rows, at: { ($0.madeAt, $0.id) }, item: DisputeView.init)
/// ```
/// A reader returns nil when the parameter is absent or wrong; ``isValid`` distinguishes the two.
public final class QueryForm {
    /// Parameters of a query that are ignored.
    public struct Ignored: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Parameters that were not read. Otherwise a reader who misspells a filter gets a fault, and does not take the
        /// whole list for what was asked.
        public static let unknown = Ignored(rawValue: 1)
        /// Texts, choices, numbers and ids without a value. Otherwise `from=` gets a fault, and does not ask for everything.
        public static let empty = Ignored(rawValue: 2)
        public static let unknownAndEmpty: Ignored = [.unknown, .empty]
    }

    private let parameters: QueryParameters
    private let ignored: Ignored
    /// The values of the parameters that were read; empty for one that is absent.
    private var read: [String: String] = [:]
    private var faults: [FieldProblem] = []

    public init(_ request: Request, ignoring ignored: Ignored = []) {
        parameters = QueryParameters(request)
        self.ignored = ignored
    }

    /// Whether nothing is wrong so far. Asked after all parameters were read.
    public var isValid: Bool { allFaults.isEmpty }
    /// A 400 with every wrong parameter.
    public var problem: Problem { Problem("invalid-query", status: .badRequest, fields: allFaults) }

    private var allFaults: [FieldProblem] {
        ignored.contains(.unknown) ? faults : faults + parameters.unknown(besides: Set(read.keys))
    }

    /// Called after all parameters were read.
    ///
    /// - Throws: a 400 ``Problem`` with every wrong parameter, if there is one.
    public func finish() throws(Problem) {
        guard isValid else { throw problem }
    }

    /// Notes a fault of a parameter that only the service knows.
    public func reject(_ name: String, _ code: String, _ arguments: [String: String] = [:]) {
        faults.append(FieldProblem(JSONPointer([name]), code, arguments))
    }

    /// A text as people type it, whatever it is; nil when it is absent.
    public subscript(name: String) -> String? { remember(name, parameters[name]) }

    /// - Parameters:
    ///   - maximum: the most characters.
    ///   - isSearch: whether it is what somebody types into a field of a list, where nothing typed asks for all.
    public func text(
        _ name: String, maximum: Int = 100, isRequired: Bool = false, isSearch: Bool = false
    ) -> String? {
        let text = self[name]
        guard let text, !text.isEmpty else {
            let isFault = isRequired || text != nil && !isSearch && !ignored.contains(.empty)
            if isFault { reject(name, "required") }
            return nil
        }
        guard text.utf8.count <= TextRule.maximumBytesPerCharacter * maximum, text.count <= maximum else {
            reject(name, "too-long", ["maximum": String(maximum)])
            return nil
        }
        return text
    }

    public func choice(_ name: String, of choices: [String]) -> String? {
        guard let text = text(name) else { return nil }
        if choices.contains(text) { return text }
        reject(name, "not-a-choice", ["choices": choices.joined(separator: ", ")])
        return nil
    }

    public func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) -> Choice? where Choice.RawValue == String {
        choice(name, of: Choice.allCases.map(\.rawValue)).flatMap { Choice(rawValue: $0) }
    }

    /// `true` or `false`
    public func bool(_ name: String) -> Bool? { choice(name, of: ["true", "false"]).flatMap { Bool($0) } }

    /// Digits of any script.
    public func integer(_ name: String, in range: ClosedRange<Int>, isRequired: Bool = false) -> Int? {
        guard let text = text(name, isRequired: isRequired).map(TypedText.asciiDigits) else { return nil }
        guard let number = Int(plain: text) else {
            reject(name, "not-a-whole-number")
            return nil
        }
        guard range.contains(number) else {
            reject(name, "out-of-range", ["minimum": String(range.lowerBound), "maximum": String(range.upperBound)])
            return nil
        }
        return number
    }

    public func uuid(_ name: String, isRequired: Bool = false) -> UUID? {
        guard let text = text(name, isRequired: isRequired) else { return nil }
        if let id = UUID(uuidString: text) { return id }
        reject(name, "not-an-id")
        return nil
    }

    /// The ids of a parameter that may be repeated; empty if it is absent.
    public func uuids(_ name: String, maximum: Int) -> [UUID] {
        let texts = parameters.all(name)
        read[name] = texts.joined(separator: ",")
        guard texts.count <= maximum else {
            reject(name, "too-many", ["maximum": String(maximum)])
            return []
        }
        let ids = texts.compactMap { UUID(uuidString: $0) }
        if ids.count < texts.count { reject(name, "not-an-id") }
        return ids
    }

    /// The ids of a parameter that has to be there, with commas between them.
    public func ids(_ name: String, maximum: Int) -> [UUID] {
        let texts = (self[name] ?? "").split(separator: ",").map(String.init)
        let ids = texts.compactMap { UUID(uuidString: $0) }
        let fault = texts.isEmpty ? "required" : ids.count < texts.count ? "not-an-id" : "too-many"
        guard (1...maximum).contains(ids.count), ids.count == texts.count else {
            reject(name, fault, ["maximum": String(maximum)])
            return []
        }
        return ids
    }

    /// A code of ISO 4217.
    public func currency(_ name: String = "currency") -> String? {
        guard let code = text(name) else { return nil }
        if Currency.named(code) != nil { return code }
        reject(name, "not-a-currency")
        return nil
    }

    /// A moment as RFC 3339 writes it.
    public func date(_ name: String) -> Date? {
        guard let text = remember(name, parameters.time(name)) else { return nil }
        if let date = Timestamp.parse(text) { return date }
        reject(name, "not-a-time")
        return nil
    }

    /// The page that `limit` and `cursor` ask for. Called after all other parameters were read.
    ///
    /// - Parameters:
    ///   - list: the list's name within the service.
    ///   - fixed: what else decides which rows are in the list, such as the market of the path.
    ///   - owner: the account that owns the list, or nil for one that several people see.
    /// - Throws: a 400 ``Problem`` with every wrong parameter, or for a cursor that is not one of this list.
    public func page(
        of list: String, _ direction: Cursor.Direction = .ascending, where fixed: [String: String] = [:],
        owner: UUID? = nil, sealedBy sealer: CursorSealer, defaultLimit: Int = ListPage.defaultLimit
    ) throws(Problem) -> ListPage {
        let limit = limit(defaultLimit)
        try finish()
        let scope = CursorScope(list: list, filters: read.merging(fixed) { $1 }, owner: owner?.text)
        var cursor: Cursor?
        if let text = parameters.opaque("cursor") { cursor = try sealer.open(text, for: scope) }
        return ListPage(limit: limit, cursor: cursor, direction: direction, scope: scope, sealer: sealer)
    }

    private func limit(_ defaultLimit: Int) -> Int {
        guard let text = parameters.number("limit") else { return defaultLimit }
        if let limit = Int(plain: text), (1...ListPage.maximumLimit).contains(limit) { return limit }
        reject("limit", "out-of-range", ["minimum": "1", "maximum": String(ListPage.maximumLimit)])
        return defaultLimit
    }

    private func remember(_ name: String, _ value: String?) -> String? {
        read[name] = value ?? ""
        return value
    }
}
