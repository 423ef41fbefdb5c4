import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

/// `?currency=SAR&state=waiting&kind=cashOut&from=…&to=…&sort=desc`; ordered by time, oldest first by default.
struct StatementQuery {
    private enum Sort: String, CaseIterable { case asc, desc }

    let currency: String?
    let state: StatementLine.State?
    let kind: StatementLine.Kind?
    let from: Date?
    /// Exclusive.
    let to: Date?
    let direction: Cursor.Direction

    /// The query has the faults.
    init(_ query: QueryForm) {
        currency = query.currency()
        state = query.choice("state", of: StatementLine.State.self)
        kind = query.choice("kind", of: StatementLine.Kind.self)
        from = query.date("from")
        to = query.date("to")
        direction = query.choice("sort", of: Sort.self) == .desc ? .descending : .ascending
    }

    func filter(_ account: UUID, after: (at: Date, id: UUID)?, limit: Int) -> StatementFilter {
        StatementFilter(
            account: account, currency: currency, state: state, kind: kind, from: from, to: to, after: after,
            limit: limit)
    }
}
