import Foundation
import Postgres

/// A setting that was changed at least once.
struct SettingRow: Sendable, Hashable {
    let key: String
    let value: String
    let version: Int
    let changedBy: UUID
    let changedAt: Date
}

/// Creates the market's row if it is missing, and locks it until the commit.
struct LockMarketVersion: Statement {
    static let sql: SQL = """
        INSERT INTO markets (market, version) VALUES ($1, 0)
        ON CONFLICT (market) DO UPDATE SET version = markets.version
        RETURNING version
        """
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Lists the markets whose settings were ever changed, and locks them against changes until the commit.
struct LockMarkets: Statement {
    static let sql: SQL = "SELECT market, version FROM markets ORDER BY market FOR SHARE"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (market: String, version: Int) {
        (try row.next(), try row.next())
    }
}

struct SetMarketVersion: Statement {
    static let sql: SQL = "UPDATE markets SET version = $2 WHERE market = $1"
    let market: String
    let version: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, version) }
}

struct ListSettings: Statement {
    static let sql: SQL = """
        SELECT key, value, version, changed_by, changed_at FROM settings WHERE market = $1
        """
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SettingRow {
        SettingRow(
            key: try row.next(), value: try row.next(), version: try row.next(), changedBy: try row.next(),
            changedAt: try row.next())
    }
}

struct StoreSetting: Statement {
    static let sql: SQL = """
        INSERT INTO settings (market, key, value, version, changed_by, changed_at) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (market, key) DO UPDATE
        SET value = excluded.value, version = excluded.version, changed_by = excluded.changed_by,
            changed_at = excluded.changed_at
        """
    let market: String
    let row: SettingRow
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, row.key, row.value, row.version, row.changedBy, row.changedAt)
    }
}

/// Whether PostgreSQL knows a time zone. It reads the server's files, so it is not for frequent use.
struct KnowsTimeZone: Statement {
    static let sql: SQL = "SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = $1)"
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(name) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// A change that waits for a second admin.
struct SettingProposal: Sendable, Hashable {
    let key: String
    let value: String
    let by: UUID
    let at: Date

    /// Whether another admin requests the same value within the proposal's time.
    func isAgreed(to value: String, by admin: UUID, at now: Date) -> Bool {
        self.value == value && by != admin && now.timeIntervalSince(at) < GuardedSettings.proposalSeconds
    }
}

struct FindSettingProposal: Statement {
    static let sql: SQL = """
        SELECT key, value, proposed_by, proposed_at FROM setting_proposals WHERE market = $1 AND key = $2
        """
    let market: String
    let key: String
    func bind(_ bindings: inout Bindings) { bindings.append(market, key) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SettingProposal {
        SettingProposal(key: try row.next(), value: try row.next(), by: try row.next(), at: try row.next())
    }
}

struct ListSettingProposals: Statement {
    static let sql: SQL = """
        SELECT key, value, proposed_by, proposed_at FROM setting_proposals WHERE market = $1 AND proposed_at > $2
        """
    let market: String
    let after: Date
    func bind(_ bindings: inout Bindings) { bindings.append(market, after) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SettingProposal {
        SettingProposal(key: try row.next(), value: try row.next(), by: try row.next(), at: try row.next())
    }
}

struct StoreSettingProposal: Statement {
    static let sql: SQL = """
        INSERT INTO setting_proposals (market, key, value, proposed_by, proposed_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (market, key) DO UPDATE
        SET value = excluded.value, proposed_by = excluded.proposed_by, proposed_at = excluded.proposed_at
        """
    let market: String
    let proposal: SettingProposal
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, proposal.key, proposal.value, proposal.by, proposal.at)
    }
}

struct RemoveSettingProposal: Statement {
    static let sql: SQL = "DELETE FROM setting_proposals WHERE market = $1 AND key = $2"
    let market: String
    let key: String
    func bind(_ bindings: inout Bindings) { bindings.append(market, key) }
}
