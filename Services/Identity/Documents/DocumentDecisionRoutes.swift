import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// Routes by which admins of a market read and decide about providers' documents. Every read is recorded in the audit
/// log.
struct DocumentDecisionRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/markets/{market}/providers/{account}", context: AuthenticatedContext.self)
            .get("papers", use: read)
            .get("documents/{document}", use: contents)
            .post("documents/{document}/decision", use: decide)
        router.group("identity/v1/markets/{market}", context: AuthenticatedContext.self)
            .get("expiring-papers", use: expiring)
    }

    /// The papers of the market that expire soon, for admins who ask for new ones.
    private func expiring(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> Page<ExpiringPaperView> {
        let market = try market(context)
        let now = parts.clock()
        let inMonth = CalendarDate(of: now.addingTimeInterval(30 * 86_400), in: parts.zone(of: market.id))
        let query = QueryForm(request, ignoring: .unknown)
        let until = Self.until(query) ?? inMonth
        let page = try query.page(of: "expiring-papers", where: ["market": market.id], sealedBy: parts.cursors)
        var after: (day: String, id: UUID)?
        if let values = page.cursor?.values, values.count == 2, let day = values[0].text, let id = values[1].uuid {
            after = (day, id)
        }
        let rows = try await parts.pool.query(
            ListExpiringDocuments(
                market: market.id, until: until,
                kinds: parts.onboarding(market.id).papers.filter(\.expires).map(\.id), after: after,
                limit: page.fetchLimit))
        let asked = Dictionary(
            parts.onboarding(market.id).papers.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let language = context.language.rawValue
        return try page.answer(
            rows, position: { [.text($0.place), .uuid($0.document)] },
            item: { ExpiringPaperView($0, asked[$0.kind], market, language) })
    }

    private static func until(_ query: QueryForm) -> CalendarDate? {
        guard let text = query["until"] else { return nil }
        let day = CalendarDate(text)
        if day == nil { query.reject("until", "not-a-date") }
        return day
    }

    private func read(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        let account = try context.uuid("account")
        let found = try await parts.pool.withTransaction { transaction in
            let found = try await parts.readPapers(
                of: account, title: QueryForm(request)["title"], in: market.id, transaction)
            try transaction.publish(
                DocumentViewed(
                    account: account, market: market.id, kind: "details", document: nil,
                    by: context.caller.accountID, at: parts.clock()))
            return found
        }
        let onboarding = parts.onboarding(market.id)
        let isSupport = context.caller.isSupport(in: market.id)
        return try .json(
            .ok,
            PapersView(
                isSupport ? found.withoutContacts(onboarding.details) : found, of: market, parts.markets, onboarding))
    }

    private func contents(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        let account = try context.uuid("account")
        let document = try context.uuid("document")
        let row = try await parts.pool.withTransaction { transaction in
            try await parts.documents.contents(
                document, of: account, in: market.id, by: context.caller.accountID, at: parts.clock(),
                in: transaction)
        }
        return .file(try await parts.documents.open(row, of: document), mediaType: row.mediaType, name: row.kind)
    }

    private func decide(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        enum Word: String, CaseIterable { case verify, reject }
        let market = try market(context)
        let account = try context.uuid("account")
        let document = try context.uuid("document")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let word = form.choice("decision", of: Word.self)
        let reason = form.showable("reason", maximum: 500, lines: true, required: word == .reject)
        let expiresOn = form.string("expiresOn", length: 1...40, required: false).flatMap { text in
            let day = CalendarDate(TypedText.asciiDigits(text))
            if day == nil { form.reject("expiresOn", "not-a-date") }
            return day
        }
        guard let word, form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.documents.decide(
                document, of: account, in: market.id, rejectedBecause: word == .reject ? reason : nil,
                expiresOn: expiresOn, by: context.caller.accountID, at: parts.clock(), in: transaction)
            // Details are left out: the request did not ask for them, so this is no read for the audit log.
            let found = try await parts.readPapers(of: account, in: market.id, withDetails: false, transaction)
            return try .json(.ok, PapersView(found, of: market, parts.markets, parts.onboarding(market.id)))
        }
    }

    /// A caller who is no admin of the market gets a 403, whether the market exists or not.
    private func market(_ context: AuthenticatedContext) throws(Problem) -> Market {
        let id = context.parameters.get("market") ?? ""
        try context.caller.require(Role.Kind.admin.rawValue, in: id)
        guard let market = parts.markets.named(id) else { throw .notFound }
        return market
    }
}

/// A provider's paper that expires.
struct ExpiringPaperView: Encodable, Sendable {
    let document: String
    let account: String
    let name: String
    let title: String?
    let titleName: String?
    let kind: String
    let kindName: String
    /// The last day on which it holds; nil when nobody has said it.
    let expiresOn: String?

    init(
        _ row: ListExpiringDocuments.Row, _ paper: Market.Onboarding.Paper?, _ market: Market, _ language: String
    ) {
        document = row.document.text
        account = row.account.text
        name = row.name
        // Of several titles the one that asks for it.
        let title = row.titles.first { paper?.titles.contains($0) == true } ?? row.titles.first
        self.title = title
        titleName = market.title(title)?.name.text(in: language)
        kind = row.kind
        kindName = paper?.name.text(in: language) ?? row.kind
        expiresOn = row.expiresOn
    }
}
