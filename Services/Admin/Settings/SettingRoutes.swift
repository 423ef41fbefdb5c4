import Contracts
import Foundation
import HTTPTypes
import Messaging
import Hummingbird
import Postgres
import ServiceKit

extension AdminRoutes {
    /// `GET markets/{market}/settings`
    @Sendable func settings(_ request: Request, _ context: AuthenticatedContext) async throws -> SettingsView {
        try await readSettings(try market(context))
    }

    /// `PUT markets/{market}/settings/{key}`
    @Sendable func changeSetting(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        guard let key = MarketSettings.Key(rawValue: context.parameters.get("key") ?? "") else {
            throw Problem.notFound
        }
        let form = try await request.form(context: context)
        let value = form.string("value", length: 1...20_000).map { SettingRule(key, of: market).typed($0) }
        let amounts = key == .currency ? Self.amounts(form, of: market) : [:]
        let version = form.integer("version", in: 0...Int.max, required: false)
        let match = Self.version(ifMatch: request.headers[.ifMatch])
        if match == .wrong { form.validator.reject("If-Match", "invalid-value") }
        if let version, case .version(let other) = match, other != version { form.reject("version", "invalid-value") }
        guard let value, form.isValid else { throw form.problem }
        let outcome = try await ChangeSetting(pool: pool)(
            ChangeSetting.Request(
                market: market, key: key, value: value, amounts: amounts, expectedVersion: version ?? match.version,
                admin: context.caller.accountID, at: clock()))
        let view = try await readSettings(market)
        guard let setting = view.items.first(where: { $0.key == key.rawValue }) else { throw Problem.notFound }
        var response = try Response.json(outcome == .proposed ? .accepted : .ok, setting)
        response.headers[.eTag] = "\"\(setting.version)\""
        return response
    }

    private func readSettings(_ market: Market) async throws -> SettingsView {
        let open = clock().addingTimeInterval(-GuardedSettings.proposalSeconds)
        let (rows, proposals, people) = try await pool.withTransaction(.readOnly) { transaction in
            let (rows, proposals) = try await transaction.queryAll(
                ListSettings(market: market.id), ListSettingProposals(market: market.id, after: open))
            let admins = Set(rows.map(\.changedBy) + proposals.map(\.by)).sorted { $0.text < $1.text }
            let people = admins.isEmpty ? [] : try await transaction.query(NamePeople(accounts: admins))
            return (rows, proposals, people)
        }
        return SettingsView(
            EffectiveSettings(market, rows), proposals, names: Dictionary(people) { first, _ in first })
    }

    /// The amounts given with a currency.
    private static func amounts(_ form: Form, of market: Market) -> [MarketSettings.Key: String] {
        guard let given = form.object("amounts", required: false) else { return [:] }
        var amounts: [MarketSettings.Key: String] = [:]
        for key in MarketSettings.amounts {
            amounts[key] = given.string(key.rawValue, length: 1...20_000, required: false).map {
                SettingRule(key, of: market).typed($0)
            }
        }
        return amounts
    }

    enum Match: Equatable {
        case none, wrong
        case version(Int)

        var version: Int? { if case .version(let version) = self { version } else { nil } }
    }

    /// The version in `If-Match` (RFC 9110, 13.1.1): `"7"`. `*` matches every version.
    static func version(ifMatch header: String?) -> Match {
        guard let header, header != "*" else { return .none }
        guard let match = header.wholeMatch(of: /(?:W\/)?"([0-9]{1,18})"/), let version = Int(match.1) else {
            return .wrong
        }
        return .version(version)
    }
}
