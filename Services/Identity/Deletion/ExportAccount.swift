import Foundation
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON

/// All data that identity has about a person, for that person (I12, P8). Of other people only ids are included.
struct ExportAccount: Sendable {
    let pool: PostgresPool
    let readProfile: ReadProfile
    let cipher: PersonalDataCipher
    let markets: LiveMarkets

    /// Nil for an unknown account.
    func callAsFunction(_ id: UUID, current session: UUID?, at now: Date) async throws -> AccountExport? {
        try await pool.withTransaction(.readOnly) { transaction in
            guard let profile = try await readProfile.read(id, at: now, in: transaction) else { return nil }
            let (sessions, links, details, terms, ids, places, factors, ratings) = try await transaction.queryAll(
                ListSessions(account: id, now: now, limit: SessionRule.maximumSessions),
                ListLinks(account: id, now: now, limit: Link.maximum), ListRoleDetails(account: id),
                ListAcceptedTerms(account: id), FindSealedNationalID(account: id),
                FindOwnSharedPlace(account: id, now: now), FindSecondFactor(account: id),
                ListRatingSums(account: id, market: nil))
            var export = AccountExport(
                profile: profile, markets, sessions: sessions, links: links.compactMap { $0?.link }, current: session,
                at: now)
            export.terms = terms
            export.secondFactorSince = factors.first?.confirmedAt
            export.ratings = ratings.map {
                AccountExport.Rating(market: $0.market, role: $0.role, count: $0.count, stars: $0.stars)
            }
            let billing = try await transaction.query(ListBillingAddresses(account: id, market: nil))
            export.billingAddresses = try billing.map { row in
                AccountExport.Billing(market: row.market, address: try BillingAddresses(cipher: cipher).open(row))
            }
            export.nationalID = try ids.first.map { try cipher.open($0, .nationalID, of: id) }
            export.details = try details.map { row in
                let json = try cipher.open(bytes: row.sealed, .details, of: row.id)
                return AccountExport.Details(
                    market: row.market, role: row.role,
                    values: try JSON.stored.decode([String: String].self, json))
            }
            export.sharedPlace = try places.first.flatMap { row in
                SharedPlace(try cipher.open(row.place, .sharedPlace, of: id)).map {
                    SharedPlaceView($0, sharedAt: row.sharedAt, expiresAt: row.expiresAt)
                }
            }
            return export
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

    /// The sum of all stars that others gave.
    struct Rating: Encodable, Sendable {
        let market: String
        let role: String
        let count: Int
        let stars: Int
    }

    /// The details that were typed in for a role.
    struct Details: Encodable, Sendable {
        let market: String
        let role: String
        let values: [String: String]
    }

    struct Billing: Encodable, Sendable {
        let market: String
        let address: BillingAddress
    }

    /// Data of other services, and files, which the same access token reads at the given path.
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
        Elsewhere(service: "dispatch", what: "reports of each order", path: "/dispatch/v1/orders/{id}/reports"),
        Elsewhere(
            service: "dispatch", what: "the photo of each parcel and picture of each dish",
            path: "/dispatch/v1/photos/{id}"),
        Elsewhere(service: "wallet", what: "balances", path: "/wallet/v1/wallets"),
        Elsewhere(service: "wallet", what: "statement", path: "/wallet/v1/statement"),
        Elsewhere(service: "wallet", what: "cards", path: "/wallet/v1/cards"),
        Elsewhere(service: "wallet", what: "bank accounts", path: "/wallet/v1/bank-accounts"),
        Elsewhere(service: "wallet", what: "cash-outs", path: "/wallet/v1/cash-outs"),
        Elsewhere(service: "notifications", what: "inbox", path: "/notifications/v1/inbox"),
        Elsewhere(
            service: "notifications", what: "what was written to others and to the support",
            path: "/notifications/v1/messages"),
        Elsewhere(
            service: "notifications", what: "each photo and voice note",
            path: "/notifications/v1/conversations/{id}/messages/{message}/file"),
        Elsewhere(service: "notifications", what: "inquiries", path: "/notifications/v1/inquiries"),
        Elsewhere(service: "notifications", what: "webhooks", path: "/notifications/v1/webhooks"),
        Elsewhere(service: "identity", what: "groups of friends", path: "/identity/v1/accounts/me/groups"),
        Elsewhere(service: "identity", what: "API keys", path: "/identity/v1/accounts/me/api-keys"),
    ]

    let exportedAt: Date
    let profile: ProfileView
    let bans: [Ban]
    let sessions: [SessionItemView]
    let links: [Link]
    var details: [Details] = []
    var billingAddresses: [Billing] = []
    var terms: [AcceptedTerms] = []
    var ratings: [Rating] = []
    var secondFactorSince: Date?
    var nationalID: String?
    var sharedPlace: SharedPlaceView?
    let elsewhere: [Elsewhere]

    init(
        profile: Profile, _ markets: LiveMarkets, sessions: [ListSessions.Row], links: [SeraiIdentity.Link],
        current: UUID?, at now: Date
    ) {
        exportedAt = now
        let me = "/identity/v1/accounts/me"
        elsewhere =
            AccountExport.elsewhere
            + Set(profile.account.roles.map(\.market)).sorted().filter { $0 != Role.everyMarket }.flatMap { market in
                [
                    Elsewhere(service: "identity", what: "saved places", path: "\(me)/places?market=\(market)"),
                    Elsewhere(
                        service: "identity", what: "recent places", path: "\(me)/markets/\(market)/recent-places"),
                    Elsewhere(
                        service: "identity", what: "contacts that are shown", path: "\(me)/markets/\(market)/contact"),
                ]
            }
            + profile.account.roles.filter { $0.kind == .provider }.flatMap { role in
                [
                    Elsewhere(service: "identity", what: "papers", path: "\(me)/providers/\(role.market)"),
                    Elsewhere(
                        service: "dispatch", what: "offerings", path: "/dispatch/v1/markets/\(role.market)/offerings"),
                    Elsewhere(
                        service: "wallet", what: "subscription", path: "/wallet/v1/markets/\(role.market)/subscription"),
                ]
            }
            + (profile.account.avatar.map {
                [Elsewhere(service: "identity", what: "picture", path: AvatarView.path($0))]
            } ?? [])
        self.profile = ProfileView(profile, markets)
        bans = profile.account.bans.map { Ban(market: $0.market, reason: $0.reason, until: $0.until) }
        self.sessions = sessions.map { SessionItemView($0, current: current) }
        self.links = links.map { link in
            Link(
                link: link.id.text, kind: link.kind.rawValue, market: link.market, state: link.state.rawValue,
                scopes: link.scopes.map(\.rawValue).sorted(),
                // A person who only asked for a number is not told whose account it is.
                other: link.from == profile.account.id && link.state == .asked
                    ? nil : link.other(than: profile.account.id).text)
        }
    }
}
