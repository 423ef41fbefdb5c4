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
        /// Of a currency: what goes with it.
        var amounts: [MarketSettings.Key: String] = [:]
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
                throw Self.changedMeanwhile(
                    value: current.settings.shown(key), version: current.version(of: key))
            }
            let after = try Self.canonical(request, current.settings)
            guard after != before else { return }
            // Days are counted by the database, which does not know every name that Foundation knows.
            if key == .timeZone, try await transaction.first(KnowsTimeZone(name: after)) != true {
                throw Problem.invalidFields([SettingRule(key, of: market).problem(with: after, at: "value")])
            }
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
        if request.key == .currency { return try currency(request, settings).text(of: .currency) }
        var changed = settings
        let faults = Self.faults(of: request.value, for: request.key, in: request.market, at: "value", &changed)
        guard faults.isEmpty else { throw .invalidFields(faults) }
        if request.key == .paymentMethods, !request.market.takesCash, changed.paymentMethods.contains("cash") {
            throw .invalidFields([FieldProblem("value", "no-cash-for-hires")])
        }
        return changed.text(of: request.key)
    }

    /// The settings in another currency. Nothing that was an amount of the old one is read as one of the new: all of them
    /// are given, or nothing changes.
    private static func currency(_ request: Request, _ settings: MarketSettings) throws(Problem) -> MarketSettings {
        guard let currency = Currency.named(request.value) else {
            throw .invalidFields([SettingRule(.currency, of: request.market).problem(with: request.value, at: "value")])
        }
        guard currency.code != settings.currency || !request.amounts.isEmpty else { return settings }
        var probe = settings
        var faults: [FieldProblem] = []
        for key in MarketSettings.amounts {
            let pointer = JSONPointer(["amounts", key.rawValue])
            if let amount = request.amounts[key] {
                faults += Self.faults(of: amount, for: key, in: request.market, at: pointer, &probe)
            } else {
                faults.append(FieldProblem(pointer, "required"))
            }
        }
        guard faults.isEmpty else { throw .invalidFields(faults) }
        do {
            return try settings.changed(to: currency, amounts: request.amounts)
        } catch {
            // Each was looked at above.
            throw .invalidFields([FieldProblem(JSONPointer(["amounts", error.key.rawValue]), "invalid-value")])
        }
    }

    /// What is wrong with a value; else it is set.
    private static func faults(
        of value: String, for key: MarketSettings.Key, in market: Market, at pointer: JSONPointer,
        _ settings: inout MarketSettings
    ) -> [FieldProblem] {
        do {
            try settings.set(key, to: value)
        } catch {
            return [SettingRule(key, of: market).problem(with: value, at: pointer)]
        }
        // Only what the market sets a price for from the beginning: all else is priced by who does it.
        let priced = market.defaults.servicePrices.keys.sorted()
        guard key == .servicePrices, !Set(priced).isSuperset(of: settings.servicePrices.keys) else { return [] }
        return [FieldProblem(pointer, "not-priced-by-market", ["services": priced.joined(separator: ", ")])]
    }

    private static func changedMeanwhile(value: String, version: Int) -> Problem {
        Problem(
            "setting-changed", status: .conflict, arguments: ["version": String(version)],
            extensions: ["version": .integer(Int64(version)), "value": .string(value)])
    }
}
