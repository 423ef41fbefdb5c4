import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Serves a market's promo codes to its admins.
struct MarketPromoCodeRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/promo-codes", use: list)
        group.get("markets/{market}/promo-codes.csv", use: csv)
        group.post("markets/{market}/promo-codes", use: create)
        group.get("markets/{market}/promo-codes/{code}") { _, context in
            let market = try context.administeredMarket()
            return try await view(try context.uuid("code"), market.id)
        }
        group.post("markets/{market}/promo-codes/{code}/end", use: end)
    }

    private func view(_ id: UUID, _ market: String) async throws -> PromoCodeView {
        guard let figures = try await parts.pool.first(ListPromoCodes(market: market, code: id, limit: 1)) else {
            throw Problem.notFound
        }
        return PromoCodeView(figures)
    }

    @Sendable private func create(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let currency = parts.settings(of: market).currency
        MarketForm.check(currency, form)
        guard let code = PromoCodeForm.code(form, of: market, currency, at: parts.clock()) else { throw form.problem }
        let admin = context.caller.accountID
        let threshold = parts.amount(\.secondApprovalAmount, in: code.currency, of: market)
        return try await parts.idempotency.answer(once) { transaction in
            let now = parts.clock()
            try await BeginApproval.refuseWaiting(code, in: transaction)
            if try await BeginApproval.isNeeded(for: code, by: admin, above: threshold, at: now, in: transaction) {
                let known = FindPromoCodeByText(market: market.id, code: code.code)
                guard try await transaction.first(known) == nil else { throw MakePromoCode.taken }
                let approval = try BeginApproval.begin(
                    .promoCode, code.id, in: market.id, code.possibleCost ?? Int(Int32.max), code.currency,
                    .promoCode(code), by: admin, at: now, in: transaction)
                return try ApprovalView.waiting(approval)
            }
            try await MakePromoCode.make(
                code, MarketCurrencies(parts.markets), by: admin, at: now, in: transaction)
            guard let made = try await transaction.first(ListPromoCodes(market: market.id, code: code.id, limit: 1))
            else { throw Problem.notFound }
            return try .json(
                .created, PromoCodeView(made), at: "/wallet/v1/markets/\(market.id)/promo-codes/\(code.id.text)")
        }
    }

    @Sendable private func end(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let id = try context.uuid("code")
        let once = try await IdempotentRequest(request, context: context)
        let admin = context.caller.accountID
        return try await parts.idempotency.answer(once) { transaction in
            let now = parts.clock()
            // Counted before the code's row is locked: the code may have very many uses, and payments with it wait for
            // the lock.
            guard var view = try await transaction.first(ListPromoCodes(market: market.id, code: id, limit: 1)) else {
                throw Problem.notFound
            }
            // A code that already ended stays as it is.
            if let ended = try await transaction.first(EndPromoCode(code: id, market: market.id, at: now)) {
                view.counted = ended
                try await PublishPromoCode.tell(id, MarketCurrencies(parts.markets), at: now, in: transaction)
                try transaction.publish(
                    WalletManaged(
                        market: market.id, act: .promoCodeEnded, subject: id, details: ["code": ended.code.code],
                        by: admin, at: now))
            } else if view.counted.code.endedAt == nil,
                let ended = try await transaction.first(ListPromoCodes(market: market.id, code: id, limit: 1))
            {
                // Another transaction has just ended it.
                view = ended
            }
            return try .json(.ok, PromoCodeView(view))
        }
    }

    @Sendable private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<PromoCodeView>
    {
        let market = try context.administeredMarket()
        let page = try QueryForm(request, ignoring: .unknown).page(
            of: "markets/\(market.id)/promo-codes", .descending, owner: context.caller.accountID, sealedBy: parts.sealer
        )
        let rows = try await parts.pool.query(
            ListPromoCodes(market: market.id, after: page.last, limit: page.fetchLimit))
        return try page.answer(rows, at: { ($0.madeAt, $0.counted.code.id) }, item: PromoCodeView.init)
    }

    @Sendable private func csv(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let (pool, language) = (parts.pool, context.language.rawValue)
        return try await StreamCSV(
            name: "promo-codes-\(market.id)",
            head: PromoCode.columns.map { $0.text(in: language) },
            part: { after, limit in
                try await pool.query(ListPromoCodes(market: market.id, after: after, limit: limit))
            }, position: { ($0.madeAt, $0.counted.code.id) },
            line: { row in
                let view = PromoCodeView(row)
                return [
                    .text(view.id), .text(view.code), .text(Timestamp.text(row.madeAt)), .number(view.basisPoints),
                    .number(view.maximum), .number(view.amount), .text(view.currency),
                    .text(Timestamp.text(view.startsAt)), .text(view.endsAt.map(Timestamp.text)),
                    .text(view.endedAt.map(Timestamp.text)), .number(view.minimumPrice), .number(view.limit),
                    .number(view.limitPerAccount), .number(view.uses), .number(view.discounts),
                    .number(view.capturedUses), .number(view.capturedDiscounts),
                ]
            }
        ).response()
    }
}

enum PromoCodeForm {
    static let amounts = 1...100_000_000

    /// Returns nil when a field is invalid.
    static func code(_ form: Form, of market: Market, _ currency: String, at now: Date) -> PromoCode? {
        var code: String?
        if let text = form.string("code", length: 4...32) {
            code = PromoCode.normalized(text)
            if code == nil { form.reject("code", "not-a-promo-code") }
        }
        let basisPoints = form.integer("basisPoints", in: 1...10_000, required: false)
        let maximum = form.integer("maximum", in: amounts, required: false)
        let amount = form.integer("amount", in: amounts, required: false)
        let startsAt = form.date("startsAt", required: false) ?? now
        let endsAt = form.date("endsAt", required: false)
        if let endsAt, endsAt <= max(startsAt, now) { form.reject("endsAt", "ends-before-it-begins") }
        let minimum = form.integer("minimumPrice", in: 0...100_000_000, required: false) ?? 0
        // Maximum, limit and limit per account are required, so that the platform's cost is bounded.
        let limit = form.integer("limit", in: 1...100_000_000)
        let limitPerAccount = form.integer("limitPerAccount", in: 1...1_000_000)
        if basisPoints != nil, amount == nil, maximum == nil { form.reject("maximum", "required") }
        let benefit: PromoCode.Benefit? =
            switch (basisPoints, amount) {
            case (let points?, nil): .percent(basisPoints: points, maximum: maximum)
            case (nil, let amount?): .amount(amount)
            default: nil
            }
        if benefit == nil, form.isValid { form.reject("amount", "percent-or-amount") }
        guard let code, let benefit, form.isValid else { return nil }
        return PromoCode(
            id: .timeOrdered(), market: market.id, currency: currency, code: code, benefit: benefit,
            startsAt: startsAt, endsAt: endsAt, minimumPrice: minimum, limit: limit, limitPerAccount: limitPerAccount)
    }

    /// The details for the audit log.
    static func details(_ code: PromoCode) -> [String: String] {
        var details = ["code": code.code]
        switch code.benefit {
        case .percent(let basisPoints, let maximum):
            details["basisPoints"] = String(basisPoints)
            details["maximum"] = maximum.map(String.init)
        case .amount(let amount): details["amount"] = String(amount)
        }
        details["limit"] = code.limit.map(String.init)
        details["limitPerAccount"] = code.limitPerAccount.map(String.init)
        return details
    }
}

struct PromoCodeView: Encodable, Sendable, ResponseEncodable {
    let id: String
    let code: String
    let currency: String
    let basisPoints: Int?
    let maximum: Int?
    let amount: Int?
    let startsAt: Date
    let endsAt: Date?
    let endedAt: Date?
    let minimumPrice: Int
    let limit: Int?
    let limitPerAccount: Int?
    /// Uses of payments that continue or are captured.
    let uses: Int
    /// Minor units that the platform pays for them.
    let discounts: Int
    let capturedUses: Int
    let capturedDiscounts: Int

    init(_ figures: PromoCodeFigures) {
        let code = figures.counted.code
        id = code.id.text
        self.code = code.code
        currency = code.currency
        switch code.benefit {
        case .percent(let points, let maximum):
            basisPoints = points
            self.maximum = maximum
            amount = nil
        case .amount(let value):
            amount = value
            basisPoints = nil
            maximum = nil
        }
        startsAt = code.startsAt
        endsAt = code.endsAt
        endedAt = code.endedAt
        minimumPrice = code.minimumPrice
        limit = code.limit
        limitPerAccount = code.limitPerAccount
        uses = figures.uses
        discounts = figures.discounts
        capturedUses = figures.capturedUses
        capturedDiscounts = figures.capturedDiscounts
    }
}
