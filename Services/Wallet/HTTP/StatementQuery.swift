import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

/// `?currency=SAR&state=waiting&sort=desc`; sorted by time, the oldest first where nothing is said.
struct StatementQuery {
    let currency: String?
    let state: StatementLine.State?
    let direction: Cursor.Direction

    init(_ request: Request) throws(Problem) {
        let query = request.uri.queryParameters
        currency = query["currency"].map(String.init)
        var wrong: [FieldProblem] = []
        if let currency, currency.wholeMatch(of: /[A-Z]{3}/) == nil {
            wrong.append(FieldProblem("currency", "invalid-value"))
        }
        state = query["state"].flatMap { StatementLine.State(rawValue: String($0)) }
        if query["state"] != nil, state == nil {
            let choices = StatementLine.State.allCases.map(\.rawValue).joined(separator: ", ")
            wrong.append(FieldProblem("state", "not-a-choice", ["choices": choices]))
        }
        switch query["sort"] {
        case nil, "asc": direction = .ascending
        case "desc": direction = .descending
        default:
            direction = .ascending
            wrong.append(FieldProblem("sort", "not-a-choice", ["choices": "asc, desc"]))
        }
        guard wrong.isEmpty else { throw Problem("invalid-query", status: .badRequest, fields: wrong) }
    }

    /// Everything that decides which rows are in the list, and in which order.
    var filters: [String: String] {
        ["currency": currency ?? "", "state": state?.rawValue ?? "", "sort": direction.rawValue]
    }
}
