import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Messaging
import Postgres
import ServiceKit

/// Reads the query's parameters and collects everything that is wrong with them.
struct ListQuery {
    private let parameters: QueryParameters
    private var read: Set<String> = []
    private var problems: [FieldProblem] = []

    init(_ request: Request) { parameters = QueryParameters(request) }

    private mutating func value(_ name: String) -> String? {
        read.insert(name)
        return parameters[name]
    }

    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) -> Choice? where Choice.RawValue == String {
        guard let text = value(name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        reject(name, "not-a-choice", ["choices": Choice.allCases.map(\.rawValue).joined(separator: ", ")])
        return nil
    }

    /// `SAR`
    mutating func currency(_ name: String = "currency") -> String? {
        guard let text = value(name) else { return nil }
        if Currency.named(text) != nil { return text }
        reject(name, "invalid-value")
        return nil
    }

    mutating func uuid(_ name: String) -> UUID? {
        guard let text = value(name) else { return nil }
        if let id = UUID(uuidString: text) { return id }
        reject(name, "not-an-id")
        return nil
    }

    /// A moment as RFC 3339 writes it.
    mutating func date(_ name: String) -> Date? {
        read.insert(name)
        guard let text = parameters.time(name) else { return nil }
        if let date = Timestamp.parse(text) { return date }
        reject(name, "not-a-time")
        return nil
    }

    mutating func text(_ name: String, length: ClosedRange<Int>) -> String? {
        guard let text = value(name) else { return nil }
        if length.contains(text.count) { return text }
        reject(name, "invalid-value")
        return nil
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

/// A list in the order of a time and an id.
struct TimeList {
    private let scope: CursorScope
    private let sealer: CursorSealer
    private let direction: Cursor.Direction

    /// Before every row.
    private static let beginning = Date(timeIntervalSince1970: 0)
    private static let least = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    init(
        _ name: String, filters: [String: String], owner: UUID, _ sealer: CursorSealer,
        _ direction: Cursor.Direction = .ascending
    ) {
        scope = CursorScope(list: name, filters: filters, owner: owner.text)
        self.sealer = sealer
        self.direction = direction
    }

    func page(_ request: Request) throws(Problem) -> PageRequest {
        try PageRequest(request, scope: scope, sealer: sealer)
    }

    /// After which row the page begins.
    func position(_ page: PageRequest) -> (at: Date, id: UUID)? {
        guard let values = page.cursor?.values, values.count == 2, let at = values[0].date, let id = values[1].uuid
        else { return nil }
        return (at, id)
    }

    /// Read it before the rows: what ends in between is among them then.
    /// - Returns: before which no row of an ascending list comes to be any more. Nil for a descending one: a late row is on a
    ///   page that was read before.
    func settled(_ pool: PostgresPool) async throws -> Date? {
        direction == .ascending ? try await pool.first(FindSettledTime()) : nil
    }

    /// - Parameter settled: from ``settled(_:)``, where the order is that of the rows' making. A page that is not the last
    ///   one ends with the last row before it, so that what is committed later, with an earlier time than some that are there,
    ///   is on the next. Then a page has less rows than asked for, or none.
    func answer<Row, Item>(
        _ rows: [Row], _ page: PageRequest, settled: Date? = nil, position: (Row) -> (at: Date, id: UUID),
        item: (Row) throws -> Item
    ) throws -> Page<Item> {
        if let settled, rows.count > page.limit {
            let shown = rows.prefix(page.limit).prefix { position($0).at < settled }
            let (at, id) = shown.last.map(position) ?? self.position(page) ?? (Self.beginning, Self.least)
            return Page(
                items: try shown.map(item),
                next: try sealer.seal(Cursor(direction, [.date(at), .uuid(id)]), for: scope)
            )
        }
        return try Page(
            rows: rows, request: page, direction: direction, scope: scope, sealer: sealer,
            position: { row in
                let (at, id) = position(row)
                return [.date(at), .uuid(id)]
            }, item: item)
    }
}
