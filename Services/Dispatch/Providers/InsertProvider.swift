import Foundation
import Postgres

/// Makes an account a provider if it is none yet.
struct InsertProvider: Statement {
    static let sql: SQL = "INSERT INTO providers (account) VALUES ($1) ON CONFLICT (account) DO NOTHING"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
