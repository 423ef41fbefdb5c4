import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes by which a market's admins write for everybody, and the one by which everybody reads.
extension AdminRoutes {
    /// `GET /admin/v1/markets/{market}/pages/{section}`: what is published, for everybody.
    @Sendable func publishedContent(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        guard let market = Market.named(context.parameters.get("market") ?? ""),
            let section = ContentSection(rawValue: context.parameters.get("section") ?? "")
        else { throw Problem.notFound }
        try QueryForm(request).finish()
        let rows = try await pool.query(ListPublishedContent(market: market.id, section: section, at: clock()))
        return try Response.cached(
            PublishedContent(rows, section, of: market.id, in: context.language), cache: "public, max-age=60",
            language: context.language)
    }

    /// `GET markets/{market}/content/{section}`: with drafts and what was withdrawn.
    @Sendable func content(_ request: Request, _ context: AuthenticatedContext) async throws -> ContentView {
        let (market, section) = (try market(context), try Self.contentSection(context))
        return try await pool.withTransaction(.readOnly) { transaction in
            try await contentView(section, of: market, in: transaction)
        }
    }

    /// `POST markets/{market}/content/{section}`: a draft.
    @Sendable func addContent(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, section) = (try market(context), try Self.contentSection(context))
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let languages = try await inForce(in: market).languages
        let content = try ContentForm(form, in: section, languages: languages).content
        return try await idempotency.answer(once) { transaction in
            let id = UUID.timeOrdered()
            try await change(market, section, context).add(content.pictured(as: nil), id, in: transaction)
            return try await contentEntry(.created, id, section, of: market, in: transaction)
                .located(at: "/admin/v1/markets/\(market.id)/content/\(section.rawValue)")
        }
    }

    /// `PUT markets/{market}/content/{section}/{id}`: a new version, which is a draft.
    @Sendable func changeContent(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, section, id) = try contentKey(context)
        let form = try await request.form(context: context)
        let expected = Self.seen(request, form.validator)
        let languages = try await inForce(in: market).languages
        let content = try ContentForm(form, in: section, languages: languages).content
        return try await pool.withTransaction { transaction in
            let change = change(market, section, context)
            let row = try await change.lock(id, expected: expected, in: transaction)
            try change.write(content.pictured(as: Content(stored: row.text)), over: row, in: transaction)
            return try await contentEntry(.ok, id, section, of: market, in: transaction)
        }
    }

    /// `GET markets/{market}/content/{section}/{id}/versions`
    @Sendable func contentVersions(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> ContentVersionsView {
        let (market, section, id) = try contentKey(context)
        return try await pool.withTransaction(.readOnly) { transaction in
            let (entries, rows) = try await transaction.queryAll(
                ListContent(market: market.id, section: section, at: clock()), ListContentVersions(entry: id))
            guard entries.contains(where: { $0.id == id }) else { throw Problem.notFound }
            let names = try await Self.authors(rows.map(\.changedBy), in: transaction)
            return ContentVersionsView(items: rows.compactMap { ContentVersionView($0, names: names) })
        }
    }

    /// `POST markets/{market}/content/{section}/{id}/versions/{version}/restore`: its text is a new draft.
    @Sendable func restoreContent(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, section, id) = try contentKey(context)
        guard let version = Int(context.parameters.get("version") ?? ""), version > 0, version <= Int(Int32.max) else {
            throw Problem.notFound
        }
        return try await actOnContent(request, context, market, section, id) { change, row, transaction in
            let found = try await transaction.first(FindContentVersion(entry: id, version: version))
            guard let content = found.flatMap({ Content(stored: $0) }) else { throw Problem.notFound }
            try change.write(content, .restored, over: row, in: transaction)
        }
    }

    /// `POST markets/{market}/content/{section}/{id}/publish`: the newest version, now or at a time.
    @Sendable func publishContent(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, section, id) = try contentKey(context)
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let expected = Self.seen(request, form.validator)
        let time = form.date("at", required: false)
        if let time, time > clock().addingTimeInterval(ChangeContent.maximumAhead) {
            form.reject("at", "too-far-ahead")
        }
        try form.finish()
        return try await idempotency.answer(once) { transaction in
            let change = change(market, section, context)
            let row = try await change.lock(id, expected: expected, in: transaction)
            try await change.publish(row, at: time, in: transaction)
            return try await contentEntry(.ok, id, section, of: market, in: transaction)
        }
    }

    /// `POST markets/{market}/content/{section}/{id}/withdraw`: nobody sees it until it is published again.
    @Sendable func withdrawContent(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, section, id) = try contentKey(context)
        return try await actOnContent(request, context, market, section, id) { change, row, transaction in
            try change.withdraw(row, in: transaction)
        }
    }

    /// `DELETE markets/{market}/content/{section}/{id}`: a draft, or what was withdrawn.
    @Sendable func deleteContent(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let validator = Validator()
        let expected = Self.seen(request, validator)
        try validator.finish()
        let (market, section, id) = try contentKey(context)
        return try await pool.withTransaction { transaction in
            let change = change(market, section, context)
            try change.delete(try await change.lock(id, expected: expected, in: transaction), in: transaction)
            return Response(status: .noContent)
        }
    }

    /// `PUT markets/{market}/content/{section}/{id}/place`: before another entry of the section, or at its end.
    @Sendable func moveContent(_ request: Request, _ context: AuthenticatedContext) async throws -> ContentView {
        let (market, section, id) = try contentKey(context)
        let form = try await request.form(context: context)
        let before = form.uuid("before", required: false)
        try form.finish()
        return try await pool.withTransaction { transaction in
            try await change(market, section, context).move(id, before: before, in: transaction)
            return try await contentView(section, of: market, in: transaction)
        }
    }

    /// `PUT markets/{market}/content/{section}/{id}/image`: a new version with this picture, which is a draft.
    @Sendable func pictureContent(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let validator = Validator()
        let expected = Self.seen(request, validator)
        try validator.finish()
        let (market, section, id) = try contentKey(context)
        let image = try await CatalogueImage.checked(try await request.upload(of: FileKind.images, context: context))
        return try await picture(image, market, section, id, expected, context)
    }

    /// `DELETE markets/{market}/content/{section}/{id}/image`: a new version without a picture, which is a draft.
    @Sendable func unpictureContent(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let validator = Validator()
        let expected = Self.seen(request, validator)
        try validator.finish()
        let (market, section, id) = try contentKey(context)
        return try await picture(nil, market, section, id, expected, context)
    }

    private func picture(
        _ image: CatalogueImage?, _ market: Market, _ section: ContentSection, _ id: UUID, _ expected: Int?,
        _ context: AuthenticatedContext
    ) async throws -> Response {
        try await pool.withTransaction { transaction in
            let change = change(market, section, context)
            let row = try await change.lock(id, expected: expected, in: transaction)
            try change.picture(image, over: row, in: transaction)
            return try await contentEntry(.ok, id, section, of: market, in: transaction)
        }
    }

    // MARK: Shared

    private func actOnContent(
        _ request: Request, _ context: AuthenticatedContext, _ market: Market, _ section: ContentSection, _ id: UUID,
        _ act: @Sendable (ChangeContent, ContentRow, PostgresTransaction) async throws -> Void
    ) async throws -> Response {
        let validator = Validator()
        let expected = Self.seen(request, validator)
        try validator.finish()
        let once = try await IdempotentRequest(request, context: context)
        return try await idempotency.answer(once) { transaction in
            let change = change(market, section, context)
            try await act(change, try await change.lock(id, expected: expected, in: transaction), transaction)
            return try await contentEntry(.ok, id, section, of: market, in: transaction)
        }
    }

    private func change(
        _ market: Market, _ section: ContentSection, _ context: AuthenticatedContext
    ) -> ChangeContent {
        ChangeContent(market: market, section: section, admin: context.caller.accountID, at: clock())
    }

    private func contentEntry(
        _ status: HTTPResponse.Status, _ id: UUID, _ section: ContentSection, of market: Market,
        in transaction: PostgresTransaction
    ) async throws -> Response {
        let view = try await contentView(section, of: market, in: transaction)
        guard let entry = view.items.first(where: { $0.id == id }) else { throw Problem.notFound }
        var response = try Response.json(status, entry)
        response.headers[.eTag] = "\"\(entry.version)\""
        return response
    }

    private func contentView(
        _ section: ContentSection, of market: Market, in transaction: PostgresTransaction
    ) async throws -> ContentView {
        let (rows, settings) = try await transaction.queryAll(
            ListContent(market: market.id, section: section, at: clock()), ListSettings(market: market.id))
        let names = try await Self.authors(rows.map(\.changedBy), in: transaction)
        return ContentView(
            market: market.id, section: section.rawValue,
            languages: EffectiveSettings(market, settings).settings.languages, groups: section.groups,
            items: rows.compactMap { ContentEntryView($0, of: market.id, names: names) })
    }

    private static func authors(
        _ accounts: [UUID?], in transaction: PostgresTransaction
    ) async throws -> [UUID: String] {
        let admins = Set(accounts.compactMap(\.self)).sorted { $0.text < $1.text }
        guard !admins.isEmpty else { return [:] }
        return Dictionary(try await transaction.query(NamePeople(accounts: admins))) { first, _ in first }
    }

    private static func contentSection(_ context: AuthenticatedContext) throws(Problem) -> ContentSection {
        guard let section = ContentSection(rawValue: context.parameters.get("section") ?? "") else { throw .notFound }
        return section
    }

    private func contentKey(
        _ context: AuthenticatedContext
    ) throws(Problem) -> (market: Market, section: ContentSection, id: UUID) {
        let market = try market(context)
        let section = try Self.contentSection(context)
        guard let id = UUID(uuidString: context.parameters.get("id") ?? "") else { throw .notFound }
        return (market, section, id)
    }

    private static func seen(_ request: Request, _ validator: Validator) -> Int? {
        let match = version(ifMatch: request.headers[.ifMatch])
        if match == .wrong { validator.reject("If-Match", "invalid-value") }
        return match.version
    }
}
