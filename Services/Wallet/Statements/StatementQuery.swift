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

    init(_ request: Request) throws(Problem) {
        var query = ListQuery(request)
        currency = query.currency()
        state = query.choice("state", of: StatementLine.State.self)
        kind = query.choice("kind", of: StatementLine.Kind.self)
        from = query.date("from")
        to = query.date("to")
        direction = query.choice("sort", of: Sort.self) == .desc ? .descending : .ascending
        try query.finish()
    }

    /// All parameters that decide the rows of the list and their order.
    var filters: [String: String] {
        [
            "currency": currency ?? "", "state": state?.rawValue ?? "", "kind": kind?.rawValue ?? "",
            "from": from.map(Timestamp.text) ?? "", "to": to.map(Timestamp.text) ?? "", "sort": direction.rawValue,
        ]
    }

    func filter(_ account: UUID, after: (at: Date, id: UUID)?, limit: Int) -> StatementFilter {
        StatementFilter(
            account: account, currency: currency, state: state, kind: kind, from: from, to: to, after: after,
            limit: limit)
    }
}
