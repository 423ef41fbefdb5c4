import Foundation
import Messaging
import Postgres

/// All that identity knows of somebody, for him or her (I12, P8): of others it holds nothing but their ids.
struct ExportAccount: Sendable {
    let pool: PostgresPool
    let readProfile: ReadProfile

    /// Nil when there is no such account.
    func callAsFunction(_ id: UUID, current session: UUID?, at now: Date) async throws -> AccountExport? {
        try await pool.withTransaction(.readOnly) { transaction in
            guard let profile = try await readProfile.read(id, at: now, in: transaction) else { return nil }
            let (sessions, links) = try await transaction.queryAll(
                ListSessions(account: id, now: now, limit: SessionRule.maximumSessions),
                ListLinks(account: id, now: now, limit: Link.maximum))
            return AccountExport(
                profile: profile, sessions: sessions, links: links.compactMap { $0?.link }, current: session, at: now)
        }
    }
}

struct AccountExport: Encodable, Sendable {
    struct Ban: Encodable, Sendable {
        let market: String
        let reason: String
        let until: Date?
    }

    struct Link: Encodable, Sendable {
        let link: String
        let kind: String
        let market: String?
        let state: String
        let scopes: [String]
        let other: String?
    }

    /// What the same access token reads: what other services know, and files.
    struct Elsewhere: Encodable, Sendable {
        let service: String
        let what: String
        let path: String
    }

    static let elsewhere = [
        Elsewhere(service: "dispatch", what: "orders", path: "/dispatch/v1/orders?role=customer&section=active"),
        Elsewhere(service: "dispatch", what: "orders", path: "/dispatch/v1/orders?role=customer&section=inactive"),
        Elsewhere(service: "dispatch", what: "orders", path: "/dispatch/v1/orders?role=provider&section=new"),
        Elsewhere(service: "dispatch", what: "orders", path: "/dispatch/v1/orders?role=provider&section=past"),
        Elsewhere(service: "wallet", what: "balances", path: "/wallet/v1/wallets"),
        Elsewhere(service: "wallet", what: "statement", path: "/wallet/v1/statement"),
        Elsewhere(service: "wallet", what: "cards", path: "/wallet/v1/cards"),
        Elsewhere(service: "notifications", what: "inbox", path: "/notifications/v1/inbox"),
    ]

    let exportedAt: Date
    let profile: ProfileAnswer
    let bans: [Ban]
    let sessions: [SessionItem]
    let links: [Link]
    let elsewhere: [Elsewhere]

    init(
        profile: Profile, sessions: [ListSessions.Row], links: [SeraiIdentity.Link], current: UUID?, at now: Date
    ) {
        exportedAt = now
        let me = "/identity/v1/accounts/me"
        elsewhere =
            AccountExport.elsewhere
            + profile.account.roles.filter { $0.kind != .admin }.flatMap { role in
                role.kind == .provider
                    ? [Elsewhere(service: "identity", what: "papers", path: "\(me)/providers/\(role.market)")]
                    : [Elsewhere(service: "identity", what: "saved places", path: "\(me)/places?market=\(role.market)")]
            }
            + (profile.account.avatar.map {
                [Elsewhere(service: "identity", what: "picture", path: AvatarAnswer.path($0))]
            } ?? [])
        self.profile = ProfileAnswer(profile)
        bans = profile.account.bans.map { Ban(market: $0.market, reason: $0.reason, until: $0.until) }
        self.sessions = sessions.map { SessionItem($0, current: current) }
        self.links = links.map { link in
            Link(
                link: link.id.text, kind: link.kind.rawValue, market: link.market, state: link.state.rawValue,
                scopes: link.scopes.map(\.rawValue).sorted(),
                // Whoever merely asked for a number is not told whose it is.
                other: link.from == profile.account.id && link.state == .asked
                    ? nil : link.other(than: profile.account.id).text)
        }
    }
}
