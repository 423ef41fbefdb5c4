import Foundation
import Postgres

/// Makes somebody a provider who is none yet.
struct InsertProvider: Statement {
    static let sql: SQL = "INSERT INTO providers (account) VALUES ($1) ON CONFLICT (account) DO NOTHING"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
