import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Changes one setting of a market. The change, its audit entry and its event are one transaction.
struct ChangeSetting: Sendable {
    struct Request: Sendable {
        let market: Market
        let key: MarketSettings.Key
        let value: String
        /// The amounts that a change of the currency brings.
        var amounts: [MarketSettings.Key: String] = [:]
        /// The setting's version that the admin has seen; nil skips the check.
        let expectedVersion: Int?
        let admin: UUID
        let at: Date
    }

    enum Outcome: Sendable, Equatable {
        /// The value is in force.
        case changed
        /// The setting guards money: a second admin has to request the same value.
        case proposed
    }

    let pool: PostgresPool

    /// Changes the setting. A value that is in force already publishes nothing, but withdraws a waiting proposal.
    ///
    /// - Throws: ``Problem``: 422 for a value that the setting cannot have, 409 if it was changed meanwhile.
    func callAsFunction(_ request: Request) async throws -> Outcome {
        let market = request.market
        let key = request.key
        return try await pool.withTransaction { transaction in
            // Locked first, so that the following list sees the latest commits.
            let (versions, rows, proposals, entries) = try await transaction.queryAll(
                LockMarketVersion(market: market.id), ListSettings(market: market.id),
                FindSettingProposal(market: market.id, key: key.rawValue), ListCatalogue(market: market.id))
            let current = EffectiveSettings(market, rows)
            if let expected = request.expectedVersion, expected != current.version(of: key) {
                throw Self.changedMeanwhile(
                    value: current.settings.shown(key), version: current.version(of: key))
            }
            let services = MarketCatalogue(market, entries).section(.services).map(\.id)
            let changed = try Self.changed(request, current.settings, services)
            let (before, after) = (current.settings.text(of: key), changed.text(of: key))
            guard after != before else {
                if !proposals.isEmpty {
                    transaction.send(RemoveSettingProposal(market: market.id, key: key.rawValue))
                    try Self.record("setting.withdrawn", request, ["value": proposals[0].value], nil, in: transaction)
                }
                return .changed
            }
            // PostgreSQL counts the days of reports and does not know every zone that Foundation knows.
            if key == .timeZone, try await transaction.first(KnowsTimeZone(name: after)) != true {
                throw Problem.invalidFields([SettingRule(key, of: market).problem(with: after, at: "value")])
            }
            let loosens = GuardedSettings.loosens(key, from: current.settings, to: changed)
            guard !loosens || proposals.contains(where: { $0.isAgreed(to: after, by: request.admin, at: request.at) })
            else {
                try Self.propose(after, before, request, in: transaction)
                return .proposed
            }
            try Self.store(after, before, request, version: (versions.first ?? 0) + 1, in: transaction)
            if let proposal = proposals.first {
                transaction.send(RemoveSettingProposal(market: market.id, key: proposal.key))
            }
            return .changed
        }
    }

    static func store(
        _ after: String, _ before: String, _ request: Request, version: Int, in transaction: PostgresTransaction
    ) throws {
        let (market, key) = (request.market.id, request.key.rawValue)
        transaction.send(SetMarketVersion(market: market, version: version))
        transaction.send(
            StoreSetting(
                market: market,
                row: SettingRow(
                    key: key, value: after, version: version, changedBy: request.admin, changedAt: request.at)))
        try record("setting.changed", request, ["value": before], ["value": after], in: transaction)
        try transaction.publish(
            SettingChanged(
                market: market, key: key, value: after, version: version, by: request.admin, at: request.at))
    }

    private static func propose(
        _ after: String, _ before: String, _ request: Request, in transaction: PostgresTransaction
    ) throws {
        transaction.send(
            StoreSettingProposal(
                market: request.market.id,
                proposal: SettingProposal(
                    key: request.key.rawValue, value: after, by: request.admin, at: request.at)))
        try record("setting.proposed", request, ["value": before], ["value": after], in: transaction)
    }

    private static func record(
        _ action: String, _ request: Request, _ before: [String: String], _ after: [String: String]?,
        in transaction: PostgresTransaction
    ) throws {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: .timeOrdered(), at: request.at, market: request.market.id, service: "admin", action: action,
                    account: request.admin, subject: request.key.rawValue, before: try AuditEntry.values(before),
                    after: try after.map { try AuditEntry.values($0) })))
    }

    /// The settings with the new value in its normal form: `0120` becomes `120`.
    private static func changed(
        _ request: Request, _ settings: MarketSettings, _ services: [String]
    ) throws(Problem) -> MarketSettings {
        if request.key == .currency { return try currency(request, settings, services) }
        var changed = settings
        let faults = Self.faults(
            of: request.value, for: request.key, in: request.market, services, at: "value", &changed)
        guard faults.isEmpty else { throw .invalidFields(faults) }
        if request.key == .paymentMethods, !request.market.takesCash, changed.paymentMethods.contains("cash") {
            throw .invalidFields([FieldProblem("value", "no-cash-for-hires")])
        }
        return changed
    }

    /// The settings in another currency. Amounts are never converted or reinterpreted: all of them must be given, or
    /// nothing changes.
    private static func currency(
        _ request: Request, _ settings: MarketSettings, _ services: [String]
    ) throws(Problem) -> MarketSettings {
        guard let currency = Currency.named(request.value) else {
            throw .invalidFields([SettingRule(.currency, of: request.market).problem(with: request.value, at: "value")])
        }
        guard currency.code != settings.currency || !request.amounts.isEmpty else { return settings }
        var probe = settings
        var faults: [FieldProblem] = []
        for key in MarketSettings.amounts {
            let pointer = JSONPointer(["amounts", key.rawValue])
            if let amount = request.amounts[key] {
                faults += Self.faults(of: amount, for: key, in: request.market, services, at: pointer, &probe)
            } else {
                faults.append(FieldProblem(pointer, "required"))
            }
        }
        guard faults.isEmpty else { throw .invalidFields(faults) }
        do {
            return try settings.changed(to: currency, amounts: request.amounts)
        } catch {
            // Cannot happen for the amounts, which were checked above.
            throw .invalidFields([FieldProblem(JSONPointer(["amounts", error.key.rawValue]), "invalid-value")])
        }
    }

    /// Sets a value, or returns its errors.
    ///
    /// - Parameter services: those of the market's catalogue.
    private static func faults(
        of value: String, for key: MarketSettings.Key, in market: Market, _ services: [String], at pointer: JSONPointer,
        _ settings: inout MarketSettings
    ) -> [FieldProblem] {
        do {
            try settings.set(key, to: value)
        } catch {
            return [SettingRule(key, of: market).problem(with: value, at: pointer)]
        }
        // A market with default prices sets those of its services; in the others providers set them.
        let priced = market.defaults.servicePrices.isEmpty ? [] : services.sorted()
        guard key == .servicePrices, !Set(priced).isSuperset(of: settings.servicePrices.keys) else { return [] }
        return [FieldProblem(pointer, "not-priced-by-market", ["services": priced.joined(separator: ", ")])]
    }

    private static func changedMeanwhile(value: String, version: Int) -> Problem {
        Problem(
            "setting-changed", status: .conflict, arguments: ["version": String(version)],
            extensions: ["version": .integer(Int64(version)), "value": .string(value)])
    }
}
