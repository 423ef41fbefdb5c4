import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes by which a market's admins edit its catalogue. Readers outside see it in dispatch and identity.
extension AdminRoutes {
    static let catalogueImage = "/admin/v1/markets/{market}/catalogue/{section}/{id}/image"

    /// `GET markets/{market}/catalogue/{section}`: with the retired entries.
    @Sendable func catalogue(_ request: Request, _ context: AuthenticatedContext) async throws -> CatalogueView {
        let market = try market(context)
        let section = try Self.section(context)
        return try await pool.withTransaction(.readOnly) { transaction in
            let (rows, settings) = try await transaction.queryAll(
                ListCatalogue(market: market.id), ListSettings(market: market.id))
            let catalogue = MarketCatalogue(market, rows)
            let names = try await Self.names(catalogue.section(section), of: catalogue, in: transaction)
            return CatalogueView(section, of: catalogue, EffectiveSettings(market, settings), names: names)
        }
    }

    /// `POST markets/{market}/catalogue/{section}`
    @Sendable func addEntry(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        let section = try Self.section(context)
        guard section.isOpen else { throw Problem("catalogue-words-only", status: .conflict) }
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let id = form.string("id", length: 1...40).map { TypedText.asciiDigits($0).lowercased() }
        if let id, id.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) == nil { form.reject("id", "not-a-slug") }
        let content = try EntryForm(form, in: section)
        guard let id, form.isValid else { throw form.problem }
        let key = CatalogueEntry.Key(section: section, id: id)
        return try await idempotency.answer(once) { transaction in
            let change = ChangeCatalogue(market: market, admin: context.caller.accountID, at: clock())
            let catalogue = try await change(.added, key, in: transaction) { catalogue in
                let all = catalogue.section(section)
                guard catalogue.entry(key) == nil, !MarketCatalogue.isTaken(id, in: section) else {
                    throw Problem("catalogue-entry-exists", status: .conflict)
                }
                guard all.count < ChangeCatalogue.maximumEntries else {
                    throw Problem(
                        "too-many-entries", status: .conflict,
                        arguments: ["maximum": String(ChangeCatalogue.maximumEntries)])
                }
                // Without a price it could be seen and not ordered.
                guard section != .services || content.price != nil || !catalogue.setsPrices else {
                    throw Problem.invalidFields([FieldProblem("price", "required")])
                }
                let entry = CatalogueEntry(
                    section, id, position: (all.map(\.position).max() ?? 0) + 1, texts: [:])
                return [try content.applied(to: entry, in: catalogue)]
            }
            try await ChangePrice(change)(content.price, of: key, in: transaction)
            return try await answer(.created, key, catalogue, in: transaction)
                .located(at: "/admin/v1/markets/\(market.id)/catalogue/\(section.rawValue)")
        }
    }

    /// `PUT markets/{market}/catalogue/{section}/{id}`
    @Sendable func changeEntry(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, key) = (try market(context), try Self.key(context))
        let form = try await request.form(context: context)
        let expected = Self.expected(request, form.validator)
        let content = try EntryForm(form, in: key.section)
        return try await pool.withTransaction { transaction in
            let change = ChangeCatalogue(market: market, admin: context.caller.accountID, at: clock())
            let price = ChangePrice(change)
            let isPriced = try await price.changes(content.price, of: key, in: transaction)
            let catalogue = try await change(
                .changed, key, expected: expected, touches: isPriced, in: transaction
            ) { catalogue in
                try catalogue.entry(key).map { [try content.applied(to: $0, in: catalogue)] } ?? []
            }
            try await price(content.price, of: key, in: transaction)
            return try await answer(.ok, key, catalogue, in: transaction)
        }
    }

    /// `POST markets/{market}/catalogue/{section}/{id}/retire`
    @Sendable func retireEntry(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await setActive(false, request, context)
    }

    /// `POST markets/{market}/catalogue/{section}/{id}/restore`
    @Sendable func restoreEntry(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await setActive(true, request, context)
    }

    private func setActive(
        _ isActive: Bool, _ request: Request, _ context: AuthenticatedContext
    ) async throws -> Response {
        let (market, key) = (try market(context), try Self.key(context))
        let expected = try Self.expected(request)
        let once = try await IdempotentRequest(request, context: context)
        return try await idempotency.answer(once) { transaction in
            let change = ChangeCatalogue(market: market, admin: context.caller.accountID, at: clock())
            let act: ChangeCatalogue.Act = isActive ? .restored : .retired
            let catalogue = try await change(act, key, expected: expected, in: transaction) { catalogue in
                guard var entry = catalogue.entry(key) else { return [] }
                guard !catalogue.isFixed(key) else { throw Problem("catalogue-words-only", status: .conflict) }
                entry.active = isActive
                return [entry]
            }
            return try await answer(.ok, key, catalogue, in: transaction)
        }
    }

    /// `PUT markets/{market}/catalogue/{section}/{id}/place`: before another entry of the section, or at its end.
    @Sendable func moveEntry(_ request: Request, _ context: AuthenticatedContext) async throws -> CatalogueView {
        let (market, key) = (try market(context), try Self.key(context))
        guard key.section.isOpen else { throw Problem("catalogue-words-only", status: .conflict) }
        let form = try await request.form(context: context)
        let before = form.string("before", length: 1...40, required: false)
        try form.finish()
        return try await pool.withTransaction { transaction in
            let change = ChangeCatalogue(market: market, admin: context.caller.accountID, at: clock())
            let catalogue = try await change(.moved, key, in: transaction) { catalogue in
                let section = catalogue.section(key.section)
                guard before == nil || section.contains(where: { $0.id == before }) else {
                    throw Problem.invalidFields([
                        FieldProblem(
                            "before", "not-a-choice", ["choices": section.map(\.id).joined(separator: ", ")])
                    ])
                }
                return ChangeCatalogue.moved(key.id, before: before, in: section)
            }
            let settings = try await transaction.query(ListSettings(market: market.id))
            let names = try await Self.names(catalogue.section(key.section), of: catalogue, in: transaction)
            return CatalogueView(
                key.section, of: catalogue, EffectiveSettings(market, settings), names: names)
        }
    }

    // MARK: Pictures

    /// `PUT markets/{market}/catalogue/{section}/{id}/image`
    @Sendable func setImage(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, key) = (try market(context), try Self.imageKey(context))
        let expected = try Self.expected(request)
        let image = try await CatalogueImage.checked(try await request.upload(of: FileKind.images, context: context))
        return try await pool.withTransaction { transaction in
            let now = clock()
            let change = ChangeCatalogue(market: market, admin: context.caller.accountID, at: now)
            var former: String?
            let catalogue = try await change(.pictured, key, expected: expected, in: transaction) { catalogue in
                guard var entry = catalogue.entry(key) else { return [] }
                former = entry.image
                entry.image = image.name
                return [entry]
            }
            if let former { transaction.send(KeepImage(market: market.id, name: former, at: now)) }
            transaction.send(
                DeleteUnusedImages(
                    market: market.id, before: now.addingTimeInterval(-CatalogueImage.keptSeconds),
                    used: catalogue.entries.compactMap(\.image)))
            transaction.send(StoreImage(market: market.id, image: image, at: now))
            return try await answer(.ok, key, catalogue, in: transaction)
        }
    }

    /// `DELETE markets/{market}/catalogue/{section}/{id}/image`: the picture is again that of the market's file.
    @Sendable func removeImage(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, key) = (try market(context), try Self.imageKey(context))
        let expected = try Self.expected(request)
        return try await pool.withTransaction { transaction in
            let now = clock()
            let change = ChangeCatalogue(market: market, admin: context.caller.accountID, at: now)
            var former: String?
            let catalogue = try await change(.pictured, key, expected: expected, in: transaction) { catalogue in
                guard var entry = catalogue.entry(key) else { return [] }
                former = entry.image
                entry.image = market.catalogue.first { $0.key == key }?.image
                return [entry]
            }
            if let former { transaction.send(KeepImage(market: market.id, name: former, at: now)) }
            return try await answer(.ok, key, catalogue, in: transaction)
        }
    }

    /// `GET /admin/v1/markets/{market}/images/{name}`: for everybody, since images in a page send no token.
    @Sendable func image(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let (market, name) = (context.parameters.get("market") ?? "", context.parameters.get("name") ?? "")
        // Other names are not looked up.
        guard CatalogueEntry.isUploaded(name), Market.named(market) != nil,
            let found = try await pool.first(FindImage(market: market, name: name))
        else { throw Problem.notFound }
        var response = Response.file(
            found.bytes, mediaType: found.mediaType, name: "picture", isInline: true,
            cache: "public, max-age=31536000, immutable")
        response.headers[.eTag] = "\"\(name)\""
        return response
    }

    // MARK: Shared

    private func answer(
        _ status: HTTPResponse.Status, _ key: CatalogueEntry.Key, _ catalogue: MarketCatalogue,
        in transaction: PostgresTransaction
    ) async throws -> Response {
        guard let entry = catalogue.entry(key) else { throw Problem.notFound }
        let settings = try await transaction.query(ListSettings(market: catalogue.market.id))
        let view = CatalogueEntryView(
            entry, of: catalogue, EffectiveSettings(catalogue.market, settings),
            names: try await Self.names([entry], of: catalogue, in: transaction))
        var response = try Response.json(status, view)
        response.headers[.eTag] = "\"\(view.version)\""
        return response
    }

    /// The names of the admins who changed these entries last.
    private static func names(
        _ entries: [CatalogueEntry], of catalogue: MarketCatalogue, in transaction: PostgresTransaction
    ) async throws -> [UUID: String] {
        let admins = Set(entries.compactMap { catalogue.row(of: $0.key)?.changedBy }).sorted { $0.text < $1.text }
        guard !admins.isEmpty else { return [:] }
        return Dictionary(try await transaction.query(NamePeople(accounts: admins))) { first, _ in first }
    }

    private static func section(_ context: AuthenticatedContext) throws(Problem) -> CatalogueEntry.Section {
        guard let section = CatalogueEntry.Section(rawValue: context.parameters.get("section") ?? "") else {
            throw .notFound
        }
        return section
    }

    private static func key(_ context: AuthenticatedContext) throws(Problem) -> CatalogueEntry.Key {
        CatalogueEntry.Key(section: try section(context), id: context.parameters.get("id") ?? "")
    }

    private static func imageKey(_ context: AuthenticatedContext) throws(Problem) -> CatalogueEntry.Key {
        let key = try key(context)
        guard key.section.hasImage else { throw .notFound }
        return key
    }

    private static func expected(_ request: Request, _ validator: Validator) -> Int? {
        let match = version(ifMatch: request.headers[.ifMatch])
        if match == .wrong { validator.reject("If-Match", "invalid-value") }
        return match.version
    }

    private static func expected(_ request: Request) throws -> Int? {
        let validator = Validator()
        let version = expected(request, validator)
        try validator.finish()
        return version
    }
}
