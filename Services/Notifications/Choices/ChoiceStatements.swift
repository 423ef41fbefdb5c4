import Foundation
import Postgres

/// What an account has chosen of one kind of notice.
struct NoticeChoice: Sendable {
    let kind: String
    let app: Bool
    let push: Bool
    let mail: Bool
    let sms: Bool

    func isOn(_ way: NoticeKind.Way) -> Bool {
        switch way {
        case .app: app
        case .push: push
        case .mail: mail
        case .sms: sms
        }
    }
}

struct ListChoices: Statement {
    static let sql: SQL = "SELECT kind, app, push, mail, sms FROM notice_choices WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> NoticeChoice {
        NoticeChoice(
            kind: try row.next(), app: try row.next(), push: try row.next(), mail: try row.next(), sms: try row.next())
    }
}

/// Stores what is chosen of a kind; the other ways stay as they are. Nothing is stored for an account that is deleted: exact
/// under ``LockOwnRows``.
struct StoreChoice: Statement {
    static let sql: SQL = """
        INSERT INTO notice_choices AS c (account, kind, app, push, mail, sms)
        SELECT $1, $2, coalesce($3, $7::bool), coalesce($4, $8::bool), coalesce($5, $9::bool), coalesce($6, $10::bool)
        WHERE NOT EXISTS (SELECT FROM streams WHERE account = $1 AND is_gone)
        ON CONFLICT (account, kind) DO UPDATE SET app = coalesce($3, c.app), push = coalesce($4, c.push),
            mail = coalesce($5, c.mail), sms = coalesce($6, c.sms)
        """
    let account: UUID
    let kind: NoticeKind
    let chosen: [NoticeKind.Way: Bool]
    func bind(_ bindings: inout Bindings) {
        bindings.append(account, kind.rawValue)
        bindings.append(chosen[.app], chosen[.push], chosen[.mail], chosen[.sms])
        bindings.append(kind.isOn(.app), kind.isOn(.push), kind.isOn(.mail), kind.isOn(.sms))
    }
}

struct FindQuietHours: Statement {
    static let sql: SQL = "SELECT from_minute, to_minute, zone FROM quiet_hours WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> QuietHours? { try QuietHours(&row) }
}

extension QuietHours {
    /// Of three columns that may be null.
    init?(_ row: inout RowReader) throws(PostgresError) {
        let (from, to): (Int32?, Int32?) = (try row.next(), try row.next())
        let zone: String? = try row.next()
        guard let from, let to, let zone else { return nil }
        self.init(fromMinute: Int(from), toMinute: Int(to), zone: zone)
    }
}

/// Stores an account's quiet hours; none of an account that is deleted: exact under ``LockOwnRows``.
struct StoreQuietHours: Statement {
    static let sql: SQL = """
        INSERT INTO quiet_hours (account, from_minute, to_minute, zone)
        SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT FROM streams WHERE account = $1 AND is_gone)
        ON CONFLICT (account) DO UPDATE
            SET from_minute = EXCLUDED.from_minute, to_minute = EXCLUDED.to_minute, zone = EXCLUDED.zone
        """
    let account: UUID
    let hours: QuietHours
    func bind(_ bindings: inout Bindings) {
        bindings.append(account, Int32(hours.fromMinute), Int32(hours.toMinute), hours.zoneName)
    }
}

struct DeleteQuietHours: Statement {
    static let sql: SQL = "DELETE FROM quiet_hours WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct DeleteChoices: Statement {
    static let sql: SQL = "DELETE FROM notice_choices WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
