import AsyncHTTPClient
import Foundation
import Logging
import SeraiJSON
import ServiceKit

@testable import SeraiWallet

extension Parser {
    /// The payment provider's answers and events: a status, then the body.
    static let payments = Parser(name: "payments") { bytes in
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let status = UInt(text(parts[0])) ?? 200
        let body = parts.count > 1 ? Array(parts[1]) : []
        let answer = PaymentProviderAnswer(status: status, body: Data(body))
        for charge in charges {
            for request in [Charge.Request.authorise, .take, .check, .find, .capture, .cancel, .refund, .findRefund] {
                switch answer.meaning(of: request, charge) {
                case .known(.captured, _) where request == .refund: throw Broken("a refund captures")
                case .known(.refunded, _) where [.authorise, .take].contains(request): throw Broken("taking refunds")
                case .unknown(let told), .fault(let told), .unexpected(let told), .refused(let told):
                    try require(told.utf8.count <= 100 && told.utf8.allSatisfy { $0 < 0x80 }, "the log has \(told)")
                default: break
                }
            }
        }
        _ = answer.isKeyReused
        _ = try? JSON.wire.decode(StripeJSON.EventHead.self, body)
        _ = try? JSON.wire.decode(StripeJSON.Event.self, body)
        _ = try? JSON.wire.decode(StripeJSON.RefundEvent.self, body)
        _ = try? JSON.wire.decode(StripeJSON.RefundChange.self, body)
        _ = try? JSON.wire.decode(StripeJSON.DisputeEvent.self, body)
        _ = try? JSON.wire.decode(StripeJSON.PaymentMethod.self, body)
        _ = try? JSON.wire.decode(StripeJSON.Refunds.self, body)
        _ = try? JSON.wire.decode(PayoutJSON.Event.self, body)
        _ = try? JSON.wire.decode(PayoutJSON.List.self, body)
        _ = try? JSON.wire.decode(PayoutJSON.BankToken.self, body)
    }

    private static let charges = [("SAR", 2_500), ("KWD", 1_000), ("JPY", 300)].flatMap { currency, amount in
        [Charge.Purpose.payment, .refund].map { purpose in
            Charge(
                id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), purpose: purpose,
                subject: UUID(uuid: (16, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1)), amount: amount,
                currency: currency, card: "pm_1", cvvReference: nil, madeAt: Date(timeIntervalSince1970: 1_790_000_000))
        }
    }

    /// The payment provider's signature, the address of Apple Pay's gateway, and numbers of cards.
    static let signatures = Parser(name: "signatures", maximumBytes: 8_192) { bytes in
        let text = text(bytes)
        let signature = WebhookSignature(secret: Redacted("whsec_fuzzer"))
        let accepted = signature.accepts(text, body: Data(bytes), at: Date(timeIntervalSince1970: 1_790_000_000))
        try require(!accepted, "\(text) is a signature")
        let merchant = ApplePayMerchant(
            settings: .init(merchant: "merchant.example", domain: "serai.example"), client: .shared,
            logger: Logger(label: "fuzzing"))
        if merchant.isGateway(text) {
            let url = URLComponents(string: text)
            try require(url?.scheme == "https" && url?.host?.hasSuffix(".apple.com") == true, "\(text) is not Apple's")
        }
        if let card = CardNumber(text) {
            try require((12...19).contains(card.digits.utf8.count), "a card of \(card.digits.utf8.count) digits")
            try require("\(card)" == "[redacted]", "a card shows its number")
        }
        _ = CardNumber.isInGroups(of: text)
    }
}
