import Foundation
import Postgres

struct DeleteStream: Statement {
    static let sql: StaticString = "DELETE FROM stream_events WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct DeletePerson: Statement {
    static let sql: StaticString = "DELETE FROM people WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
