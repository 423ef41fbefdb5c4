import Foundation
import Postgres
import ServiceKit

/// Pages of lists in the order in which their rows are made: a row that is committed late may have an earlier time than
/// some that were already read.
extension ListPage {
    /// Before every row.
    private static let beginning = (at: Date(timeIntervalSince1970: 0), id: least)
    private static let least = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// Read it before the rows: what ends in between is among them then.
    /// - Returns: before which no row of an ascending list comes to be any more. Nil for a descending one: a late row is on a
    ///   page that was read before.
    func settled(_ pool: PostgresPool) async throws -> Date? {
        direction == .ascending ? try await pool.first(FindSettledTime()) : nil
    }

    /// - Parameter settled: from ``settled(_:)``. A page that is not the last one ends with the last row before it, so that
    ///   what is committed later, with an earlier time than some that are there, is on the next. Then a page has less rows
    ///   than asked for, or none.
    func answer<Row, Item>(
        _ rows: [Row], settled: Date?, at place: (Row) -> (at: Date, id: UUID), item: (Row) throws -> Item
    ) throws -> Page<Item> {
        guard let settled, rows.count > limit else { return try answer(rows, at: place, item: item) }
        let shown = rows.prefix(limit).prefix { place($0).at < settled }
        let (at, id) = shown.last.map(place) ?? last ?? Self.beginning
        return Page(items: try shown.map(item), next: try next(after: [.date(at), .uuid(id)]))
    }
}
