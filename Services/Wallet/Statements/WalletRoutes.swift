import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

/// All routes of the service.
struct WalletRoutes {
    let parts: WalletParts

    func add(to router: Router<SeraiRequestContext>) {
        router.add(middleware: WalletReads.middleware(parts.pool))
        WebhookRoutes(parts: parts).add(to: router.group("wallet/v1"))
        let group = router.group("wallet/v1", context: AuthenticatedContext.self)
        BalanceRoutes(parts: parts).add(to: group)
        CardRoutes(parts: parts).add(to: group)
        TopUpRoutes(parts: parts).add(to: group)
        PaymentRoutes(parts: parts).add(to: group)
        RefundRoutes(parts: parts).add(to: group)
        TipRoutes(parts: parts).add(to: group)
        LedgerRoutes(parts: parts).add(to: group)
        DayBalanceRoutes(parts: parts).add(to: group)
        PromotionRoutes(parts: parts).add(to: group)
        BankAccountRoutes(parts: parts).add(to: group)
        CashOutRoutes(parts: parts).add(to: group)
        SubscriptionRoutes(parts: parts).add(to: group)
        MarketPaymentRoutes(parts: parts).add(to: group)
        MarketRefundRoutes(parts: parts).add(to: group)
        MarketFineRoutes(parts: parts).add(to: group)
        MarketApprovalRoutes(parts: parts).add(to: group)
        MarketCashOutRoutes(parts: parts).add(to: group)
        MarketDisputeRoutes(parts: parts).add(to: group)
        MarketPromoCodeRoutes(parts: parts).add(to: group)
        MarketSubscriptionRoutes(parts: parts).add(to: group)
    }
}

extension Response {
    /// Makes a JSON response.
    ///
    /// - Parameter location: the address of a created resource; nil for none.
    static func json(
        _ status: HTTPResponse.Status, _ value: some Encodable, at location: String? = nil
    ) throws -> Response {
        let body = try JSONEncoder.service.encode(value)
        let response = Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(bytes: body)))
        return location.map { response.located(at: $0) } ?? response
    }
}

/// `{"items": […]}`: a list that is short enough to be returned whole.
struct WholeList<Item: Encodable & Sendable>: ResponseEncodable, Sendable {
    let items: [Item]
}

/// An amount of money in JSON.
struct AmountView: Encodable, Sendable {
    /// Minor units.
    let amount: Int
    let currency: String
}
