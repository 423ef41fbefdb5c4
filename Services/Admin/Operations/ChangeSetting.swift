import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import ServiceKit

/// An admin changes one setting of a market. The change, its entry in the audit log and its event commit together.
struct ChangeSetting: Sendable {
    struct Request: Sendable {
        let market: Market
        let key: MarketSettings.Key
        let value: String
        /// The setting's version that the admin has seen; nil changes whatever there is.
        let expectedVersion: Int?
        let admin: UUID
        let at: Date
    }

    let pool: PostgresPool

    /// A value that is in force already is no change: nothing is recorded or told.
    ///
    /// - Throws: ``Problem``: 422 for a value that the setting cannot have, 409 when somebody else changed it meanwhile.
    func callAsFunction(_ request: Request) async throws {
        let market = request.market
        let key = request.key
        try await pool.withTransaction { transaction in
            // The lock comes first, and the list is read by a snapshot that is younger.
            let (versions, rows) = try await transaction.queryAll(
                LockMarketVersion(market: market.id), ListSettings(market: market.id))
            let current = SettingsInForce(market, rows)
            let before = current.settings.text(of: key)
            if let expected = request.expectedVersion, expected != current.version(of: key) {
                throw Self.changedMeanwhile(value: before, version: current.version(of: key))
            }
            let after = try Self.canonical(request, current.settings)
            guard after != before else { return }
            let version = (versions.first ?? 0) + 1
            transaction.send(SetMarketVersion(market: market.id, version: version))
            transaction.send(
                StoreSetting(
                    market: market.id,
                    row: SettingRow(
                        key: key.rawValue, value: after, version: version, changedBy: request.admin,
                        changedAt: request.at)))
            transaction.send(
                InsertAudit(
                    AuditEntry(
                        id: .timeOrdered(), at: request.at, market: market.id, service: "admin",
                        action: "setting.changed", account: request.admin, subject: key.rawValue,
                        before: try AuditEntry.values(["value": before]),
                        after: try AuditEntry.values(["value": after]))))
            try transaction.publish(
                SettingChanged(
                    market: market.id, key: key.rawValue, value: after, version: version, by: request.admin,
                    at: request.at))
        }
    }

    /// The value as it is kept: `0120` is `120`.
    private static func canonical(_ request: Request, _ settings: MarketSettings) throws(Problem) -> String {
        var changed = settings
        do {
            try changed.set(request.key, to: request.value)
        } catch {
            throw .invalidFields([SettingRule(request.key, of: request.market).problem])
        }
        if request.key == .paymentMethods, !request.market.takesCash, changed.paymentMethods.contains("cash") {
            throw .invalidFields([FieldProblem("value", "no-cash-for-hires")])
        }
        return changed.text(of: request.key)
    }

    private static func changedMeanwhile(value: String, version: Int) -> Problem {
        Problem(
            "setting-changed", status: .conflict, arguments: ["version": String(version)],
            extensions: ["version": .integer(Int64(version)), "value": .string(value)])
    }
}
