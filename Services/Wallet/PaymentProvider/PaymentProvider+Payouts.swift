import Foundation
import Messaging

/// Money out, through Stripe's payouts.
extension PaymentProvider {
    /// Of a request about a bank account. Nothing was paid.
    enum BankAccountError: Error, Sendable, Equatable {
        /// The payment provider does not take it.
        case refused
        case unavailable
    }

    enum PayoutAnswer: Sendable, Equatable {
        case known(PayoutOutcome)
        /// It did not happen, through no fault of the bank account's. The same key would only repeat this.
        case nothing(String)
        /// It was looked for, and has never been heard of.
        case absent
        /// It may have happened or not, and the payment provider had a fault: the same key may repeat this.
        case fault(String)
        /// It may have happened or not. For the log, without anything secret.
        case unknown(String)
        /// It was understood and says nothing that a payout can end with.
        case unexpected(String)
    }

    /// A bank account that was handed over.
    struct HandedOver: Sendable {
        let reference: String
        /// The same for the same number; nil where the payment provider gives none.
        let fingerprint: String?
    }

    func store(
        _ iban: IBAN, holder: String, currency: String
    ) async throws(BankAccountError) -> HandedOver {
        let form = FormBody([
            "bank_account[country]": iban.country, "bank_account[currency]": currency.lowercased(),
            "bank_account[account_holder_name]": holder, "bank_account[account_holder_type]": "individual",
            "bank_account[account_number]": iban.characters,
        ])
        let reply: Reply
        do {
            reply = try await post("/v1/tokens", form, key: nil, limit: settings.tokenLimit)
        } catch {
            throw .unavailable
        }
        // try?: an answer that cannot be read is none.
        if reply.status == 200,
            let token = try? JSONDecoder().decode(PayoutJSON.BankToken.self, from: reply.body)
        {
            return HandedOver(reference: token.bank_account.id, fingerprint: token.bank_account.fingerprint)
        }
        throw reply.status == 400 || reply.status == 402 ? .refused : .unavailable
    }

    /// Asking again asks for the same.
    func ask(_ request: CashOut.Request, _ cashOut: CashOut) async -> PayoutAnswer {
        do {
            switch request {
            case .check:
                guard let reference = cashOut.reference, Self.isPathSafe(reference) else {
                    return .unexpected("no reference")
                }
                let reply = try await get("/v1/payouts/\(reference)", limit: settings.chargeLimit)
                return PayoutJSON.meaning(reply.status, reply.body, of: cashOut, isFirst: false)
            case .pay:
                let form = FormBody([
                    "amount": Self.amount(cashOut.amount, cashOut.currency), "currency": cashOut.currency.lowercased(),
                    "destination": cashOut.destination.reference, "metadata[cashOut]": cashOut.id.text,
                ])
                let reply = try await post("/v1/payouts", form, key: cashOut.key, limit: settings.chargeLimit)
                return PayoutJSON.meaning(reply.status, reply.body, of: cashOut, isFirst: true)
            case .find: return try await find(cashOut)
            }
        } catch {
            return .unknown("\(type(of: error))")
        }
    }

    /// Looks through all payouts since its request, the newest first: payouts cannot be searched for.
    private func find(_ cashOut: CashOut) async throws -> PayoutAnswer {
        let since = Int(cashOut.madeAt.timeIntervalSince1970) - 3_600
        var after = ""
        while true {
            let reply = try await get(
                "/v1/payouts?created%5Bgte%5D=\(since)&limit=100\(after)", limit: settings.chargeLimit)
            guard reply.status == 200 else { return .unknown("HTTP \(reply.status)") }
            // try?: what cannot be read is no answer.
            guard let page = try? JSONDecoder().decode(PayoutJSON.List.self, from: reply.body) else {
                return .unexpected("unreadable")
            }
            if let payout = page.data.first(where: { $0.isOf(cashOut) }) {
                return PayoutJSON.outcome(of: payout, cashOut).map { .known($0) } ?? .unexpected("another payout")
            }
            guard page.has_more else { return .absent }
            guard let last = page.data.last?.id, Self.isPathSafe(last) else { return .unexpected("unreadable") }
            after = "&starting_after=\(last)"
        }
    }
}

/// What the payment provider says of payouts and bank accounts, as far as it is read.
enum PayoutJSON {
    struct BankToken: Decodable {
        struct Account: Decodable {
            let id: String
            let fingerprint: String?
        }
        let bank_account: Account
    }

    struct Payout: Decodable {
        let id: String
        let status: String
        let amount: Int?
        let currency: String?
        let failure_code: String?
        let metadata: [String: String]?

        /// By what we told the payment provider.
        func isOf(_ cashOut: CashOut) -> Bool { metadata?["cashOut"].flatMap(UUID.init(uuidString:)) == cashOut.id }
    }

    struct List: Decodable {
        let data: [Payout]
        let has_more: Bool
    }

    struct Event: Decodable {
        struct Content: Decodable { let object: Payout }
        let id: String
        let type: String
        let data: Content
    }

    /// - Parameter isFirst: it was asked to pay, not how it stands.
    static func meaning(
        _ status: UInt, _ body: Data, of cashOut: CashOut, isFirst: Bool
    ) -> PaymentProvider.PayoutAnswer {
        switch status {
        case 200:
            // try?: what cannot be read is not understood.
            guard let payout = try? JSONDecoder().decode(Payout.self, from: body) else {
                return .unexpected("unreadable")
            }
            return outcome(of: payout, cashOut).map { .known($0) } ?? .unexpected("another payout")
        case 400, 402, 404:
            guard isFirst else { return .unexpected("HTTP \(status)") }
            // try?: an answer that is none of the payment provider's errors says nothing.
            guard let failure = try? JSONDecoder().decode(StripeJSON.ErrorAnswer.self, from: body).error else {
                return .unexpected("HTTP \(status)")
            }
            // The platform's own balance there is too low: nobody's bank account is wrong.
            if failure.code == "balance_insufficient" { return .nothing("balance_insufficient") }
            // The same key with other parameters: a fault of ours, and perhaps it was paid.
            if failure.type == "idempotency_error" { return .unexpected("idempotency_error") }
            return .known(.failed(reason: "payout-refused", reference: nil))
        // Others from 500 on come from what stands before it, which keeps nothing.
        case 500 where isFirst: return .fault("HTTP 500")
        default: return .unknown("HTTP \(status)")
        }
    }

    /// Nil when it is not this cash-out's.
    static func outcome(of payout: Payout, _ cashOut: CashOut) -> PayoutOutcome? {
        let counted = PaymentProvider.counted(cashOut.amount, cashOut.currency)
        guard payout.amount == nil || payout.amount == counted,
            payout.currency == nil || payout.currency?.uppercased() == cashOut.currency
        else { return nil }
        switch payout.status {
        case "paid": return .paid(reference: payout.id)
        case "pending", "in_transit": return .pending(reference: payout.id)
        case "failed", "canceled":
            let reason = payout.failure_code == "account_closed" ? "account-closed" : "payout-refused"
            return .failed(reason: reason, reference: payout.id)
        default: return nil
        }
    }
}
