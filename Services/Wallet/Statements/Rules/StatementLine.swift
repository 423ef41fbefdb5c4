import Foundation

/// A line of an account's statement. Its state may change until the matter is settled; its position never does.
struct StatementLine: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case payment, share, commission, topUp, fine, refund, deposit, tip, cashOut, subscription
        /// Made by commands of other services.
        case transfer, hold
    }
    enum State: String, Sendable, CaseIterable { case waiting, accepted, rejected }

    let account: UUID
    /// The unique subject of the line within an account's statement, such as `share:<order>`.
    let source: String
    let kind: Kind
    let market: String
    let currency: String
    /// Minor units; negative when the account pays.
    let amount: Int
    let order: UUID?
    let method: PaymentMethod?
    /// The title of the paid order or service, by language; empty for top-ups.
    let title: [String: String]
    let payer: String
    let beneficiary: String
    let state: State
    let reason: String?
    /// Minor units of the amount that the debtor has not paid yet.
    var waiting = 0
}

extension Payment {
    /// The lines of customer and payees for the payment's current state.
    func statementLines(platformName: String) -> [StatementLine] {
        guard let method, let (lineState, reason) = lineState else { return [] }
        // An attempt that was refused before a charge was made has no charge, and uses the order's own line.
        let attempt = method.isCharged ? charge : nil
        let source = attempt.map { "charge:\($0.uuidString.lowercased())" } ?? "payment:\(orderText)"
        let paid = StatementLine(
            account: customer, source: source, kind: .payment, market: market, currency: currency,
            amount: -customerPart,
            order: order, method: method, title: terms.title, payer: customerName,
            beneficiary: terms.beneficiary ?? platformName,
            state: lineState, reason: reason)
        guard isInEscrow || [.held, .captured, .released, .credited].contains(state) else { return [paid] }
        let division = division
        // The price was charged and credited to the customer's wallet, so no payee gets a share.
        let credit = state == .credited ? [credit] : []
        let (shareState, shareReason) = state == .credited ? (.rejected, endReason) : (lineState, reason)
        return [paid] + credit
            + division.parts.compactMap { part in
                let owesIt =
                    method == .cash && part.payee.party == .provider && part.payee.account == provider
                if !owesIt, terms.earnsNothing(part.payee.party) { return nil }
                return StatementLine(
                    account: part.payee.account,
                    source: line(of: part.payee),
                    kind: owesIt ? .commission : .share, market: market, currency: currency,
                    // The provider who collected the cash pays the others from it; the platform's discount is in the
                    // provider's wallet.
                    amount: owesIt ? part.net - customerPart : part.net, order: order, method: method,
                    title: terms.title,
                    payer: owesIt ? part.payee.name : customerName,
                    beneficiary: owesIt ? platformName : part.payee.name, state: shareState, reason: shareReason)
            }
    }

    /// The line for a price that was charged and is now in the customer's wallet.
    private var credit: StatementLine {
        StatementLine(
            account: customer, source: "credit:\(orderText)", kind: .refund, market: market, currency: currency,
            amount: customerPart, order: order, method: .wallet, title: terms.title, payer: customerName,
            beneficiary: customerName, state: .accepted, reason: nil)
    }

    /// The source of a payee's line.
    func line(of payee: Payee) -> String {
        payee.party == .provider ? "share:\(orderText)" : "merchant:\(orderText)"
    }

    private var orderText: String { order.uuidString.lowercased() }

    private var lineState: (StatementLine.State, String?)? {
        switch state {
        case .requested: nil
        case .due: refusal.map { (.rejected, .some($0)) }
        case .authorising, .held, .frozen, .capturing, .releasing, .crediting: (.waiting, nil)
        case .captured, .credited: (.accepted, nil)
        case .released: (.rejected, refusal ?? endReason)
        // A refused attempt already has its line.
        case .closed: refusal == nil ? (.rejected, endReason) : nil
        }
    }

    /// The reason of a rejected line, such as `order-expired`.
    private var endReason: String {
        if hasOrderEnded || orderState == "disputed" { return "order-\(orderState)" }
        guard state == .released, orderState == "completed" else { return "authorisation-lost" }
        return isUncollectableCash ? "cash-for-nobody" : "order-cost-nothing"
    }
}

extension StatementLine {
    /// The line of a provider whose order another provider took over.
    var reassigned: StatementLine {
        StatementLine(
            account: account, source: source, kind: kind, market: market, currency: currency, amount: amount,
            order: order, method: method, title: title, payer: payer, beneficiary: beneficiary, state: .rejected,
            reason: "order-reassigned")
    }
}

extension TopUp {
    var statementLine: StatementLine {
        let lineState: StatementLine.State =
            switch state {
            case .waiting: .waiting
            case .completed: .accepted
            case .refused: .rejected
            }
        return StatementLine(
            account: account, source: "topUp:\(id.uuidString.lowercased())", kind: .topUp, market: market,
            currency: currency, amount: amount, order: nil, method: method, title: [:], payer: holder,
            beneficiary: holder, state: lineState, reason: reason)
    }
}
