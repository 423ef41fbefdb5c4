import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// `/notifications/v1/choices` and `/quiet-hours`: by which ways the caller wants to hear of what, and when not (I6,
/// N2).
struct ChoiceRoutes: Sendable {
    let pool: PostgresPool

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("choices") { _, context in try await view(context.caller.accountID) }
        group.put("choices/{kind}") { try await choose($0, $1) }
        group.put("quiet-hours") { try await setQuietHours($0, $1) }
        group.delete("quiet-hours") { _, context in
            _ = try await pool.execute(DeleteQuietHours(account: context.caller.accountID))
            return HTTPResponse.Status.noContent
        }
    }

    private func view(_ account: UUID) async throws -> ChoicesView {
        let (choices, quiet) = try await pool.withTransaction { transaction in
            try await transaction.queryAll(ListChoices(account: account), FindQuietHours(account: account))
        }
        return ChoicesView(choices, quiet: quiet.first ?? nil)
    }

    /// The ways that are not named stay as they are.
    private func choose(_ request: Request, _ context: AuthenticatedContext) async throws -> ChoicesView {
        let account = context.caller.accountID
        guard let name = context.parameters.get("kind"), let kind = NoticeKind(rawValue: name) else {
            throw Problem.notFound
        }
        let form = try await request.form(context: context)
        var asked: [NoticeKind.Way: Bool] = [:]
        for way in NoticeKind.Way.allCases {
            guard let isOn = form.bool(way.rawValue, required: false) else { continue }
            if !kind.ways.contains(way) { form.reject(way.rawValue, "not-a-way-of-it") }
            // What the law or the money needs is told whatever was chosen.
            if kind.isLocked, !isOn { form.reject(way.rawValue, "always-told") }
            asked[way] = isOn
        }
        try form.finish()
        try await pool.withTransaction { transaction in
            _ = try await transaction.query(LockOwnRows(account: account))
            transaction.send(StoreChoice(account: account, kind: kind, chosen: asked))
        }
        return try await view(account)
    }

    private func setQuietHours(_ request: Request, _ context: AuthenticatedContext) async throws -> ChoicesView {
        let form = try await request.form(context: context)
        let (from, to) = (Self.minute("from", form), Self.minute("to", form))
        let zone = form.string("zone", length: 1...60)
        if let zone, QuietHours.zone(zone) == nil { form.reject("zone", "not-a-time-zone") }
        if let from, let to, from == to { form.reject("to", "same-as-from") }
        guard form.isValid, let from, let to, let zone,
            let hours = QuietHours(fromMinute: from, toMinute: to, zone: zone)
        else { throw form.problem }
        let account = context.caller.accountID
        try await pool.withTransaction { transaction in
            _ = try await transaction.query(LockOwnRows(account: account))
            transaction.send(StoreQuietHours(account: account, hours: hours))
        }
        return try await view(account)
    }

    private static func minute(_ name: String, _ form: Form) -> Int? {
        guard let text = form.string(name, length: 5...5) else { return nil }
        let minute = QuietHours.minute(text)
        if minute == nil { form.reject(name, "not-a-time-of-day") }
        return minute
    }
}

struct ChoicesView: ResponseEncodable, Encodable, Sendable {
    struct Way: Encodable, Sendable {
        let way: String
        let on: Bool
    }
    struct Kind: Encodable, Sendable {
        let kind: String
        /// The ways on which something of it is told at all.
        let ways: [Way]
        /// Whether nobody can switch it off.
        let locked: Bool
    }
    struct Quiet: Encodable, Sendable {
        let from: String
        let to: String
        let zone: String
    }

    let kinds: [Kind]
    let quiet: Quiet?

    init(_ choices: [NoticeChoice], quiet: QuietHours?) {
        kinds = NoticeKind.allCases.map { kind in
            let chosen = kind.isLocked ? nil : choices.first { $0.kind == kind.rawValue }
            return Kind(
                kind: kind.rawValue,
                ways: kind.ways.map { Way(way: $0.rawValue, on: chosen?.isOn($0) ?? kind.isOn($0)) },
                locked: kind.isLocked)
        }
        self.quiet = quiet.map {
            Quiet(
                from: QuietHours.text($0.fromMinute), to: QuietHours.text($0.toMinute), zone: $0.zoneName)
        }
    }
}
