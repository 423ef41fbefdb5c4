import Foundation
import Messaging
import SeraiJSON

/// Payouts through Stripe.
extension PaymentProvider {
    /// An error of a request about a bank account. Nothing was paid.
    enum BankAccountError: Error, Sendable, Equatable {
        /// The payment provider rejects the bank account, whose number has this form.
        case refused(BankNumber.Form)
        case unavailable
    }

    enum PayoutAnswer: Sendable, Equatable {
        case known(PayoutOutcome)
        /// The payout did not happen, and the bank account is not the reason. The same key would repeat this answer.
        case nothing(String)
        /// A search found no payout.
        case absent
        /// The payout may have happened. The payment provider had an internal fault, which the same key may repeat.
        case fault(String)
        /// The payout may have happened. The text is for the log and contains no secret.
        case unknown(String)
        /// The reply was understood, but is no state in which a payout can end.
        case unexpected(String)
    }

    /// A bank account that was stored at the payment provider.
    struct HandedOver: Sendable {
        let reference: String
        /// Equal for equal numbers; nil if the payment provider gives none.
        let fingerprint: String?
    }

    func store(
        _ number: BankNumber, holder: String, currency: String
    ) async throws(BankAccountError) -> HandedOver {
        var form = FormBody([
            "bank_account[country]": number.country, "bank_account[currency]": currency.lowercased(),
            "bank_account[account_holder_name]": holder, "bank_account[account_holder_type]": "individual",
            "bank_account[account_number]": number.accountNumber,
        ])
        if let routing = number.routingNumber { form.add("bank_account[routing_number]", routing) }
        let reply: Reply
        do {
            reply = try await post("/v1/tokens", form, key: nil, limit: settings.tokenLimit)
        } catch {
            throw .unavailable
        }
        // try?: an unreadable reply is no answer.
        if reply.status == 200,
            let token = try? JSON.wire.decode(PayoutJSON.BankToken.self, reply.body)
        {
            return HandedOver(reference: token.bank_account.id, fingerprint: token.bank_account.fingerprint)
        }
        throw reply.status == 400 || reply.status == 402 ? .refused(number.form) : .unavailable
    }

    /// Makes the next request of a cash-out. A repeat asks for the same thing.
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

    /// Reads all payouts since the cash-out's request, newest first, because payouts cannot be searched.
    private func find(_ cashOut: CashOut) async throws -> PayoutAnswer {
        let since = Int(cashOut.madeAt.timeIntervalSince1970) - 3_600
        var after = ""
        while true {
            let reply = try await get(
                "/v1/payouts?created%5Bgte%5D=\(since)&limit=100\(after)", limit: settings.chargeLimit)
            guard reply.status == 200 else { return .unknown("HTTP \(reply.status)") }
            // try?: an unreadable reply is no answer.
            guard let page = try? JSON.wire.decode(PayoutJSON.List.self, reply.body) else {
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

/// The parts of the payment provider's replies about payouts and bank accounts that are read.
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

        /// Matches the id in our metadata.
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

    /// - Parameter isFirst: true for a request to pay, false for a status request.
    static func meaning(
        _ status: UInt, _ body: Data, of cashOut: CashOut, isFirst: Bool
    ) -> PaymentProvider.PayoutAnswer {
        switch status {
        case 200:
            // try?: an unreadable reply is unexpected.
            guard let payout = try? JSON.wire.decode(Payout.self, body) else {
                return .unexpected("unreadable")
            }
            return outcome(of: payout, cashOut).map { .known($0) } ?? .unexpected("another payout")
        case 400, 402, 404:
            guard isFirst else { return .unexpected("HTTP \(status)") }
            // try?: a reply that is none of the payment provider's errors says nothing.
            guard let failure = try? JSON.wire.decode(StripeJSON.ErrorAnswer.self, body).error else {
                return .unexpected("HTTP \(status)")
            }
            // The platform's balance at the payment provider is too low; the bank account is fine.
            if failure.code == "balance_insufficient" { return .nothing("balance_insufficient") }
            // The same key with other parameters: a fault of this program, and the payout may have happened.
            if failure.type == "idempotency_error" { return .unexpected("idempotency_error") }
            return .known(.failed(reason: "payout-refused", reference: nil))
        // Statuses above 500 come from proxies in front of the payment provider, which store nothing under the key.
        case 500 where isFirst: return .fault("HTTP 500")
        default: return .unknown("HTTP \(status)")
        }
    }

    /// Returns nil for a payout that does not match the cash-out, or for an unknown status.
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
