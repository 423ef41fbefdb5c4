import Foundation

/// A line of somebody's statement. It changes its state until the matter is settled, never its place.
struct StatementLine: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case payment, share, commission, topUp, fine, refund, deposit, tip, cashOut, subscription
        /// By command of another service.
        case transfer, hold
    }
    enum State: String, Sendable, CaseIterable { case waiting, accepted, rejected }

    let account: UUID
    /// What the line is about; one line for each. `share:<order>`
    let source: String
    let kind: Kind
    let market: String
    let currency: String
    /// Minor units; below zero what the account pays.
    let amount: Int
    let order: UUID?
    let method: PaymentMethod?
    /// What was paid for, by language; empty for top-ups.
    let title: [String: String]
    let payer: String
    let beneficiary: String
    let state: State
    let reason: String?
    /// Minor units of it that their debtor has not paid yet.
    var waiting = 0
}

extension Payment {
    /// The lines of both parties, as the payment now stands.
    func statementLines(platformName: String) -> [StatementLine] {
        guard let method, let (lineState, reason) = lineState else { return [] }
        // What was refused before anything was charged has no charge, and is the order's own line.
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
        // Charged, and put into the wallet: nobody else gets anything.
        let credit = state == .credited ? [credit] : []
        let (shareState, shareReason) = state == .credited ? (.rejected, endReason) : (lineState, reason)
        return [paid] + credit
            + division.parts.map { part in
                let owesIt =
                    method == .cash && part.payee.party == .provider && part.payee.account == provider
                return StatementLine(
                    account: part.payee.account,
                    source: line(of: part.payee),
                    kind: owesIt ? .commission : .share, market: market, currency: currency,
                    // Who has the customer's cash pays the others out of it, and has the platform's part of it in the
                    // wallet.
                    amount: owesIt ? part.net - customerPart : part.net, order: order, method: method,
                    title: terms.title,
                    payer: owesIt ? part.payee.name : customerName,
                    beneficiary: owesIt ? platformName : part.payee.name, state: shareState, reason: shareReason)
            }
    }

    /// What was charged for the order and is in the wallet now.
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
        // A refused attempt has its line already.
        case .closed: refusal == nil ? (.rejected, endReason) : nil
        }
    }

    /// `order-expired`
    private var endReason: String {
        if hasOrderEnded || orderState == "disputed" { return "order-\(orderState)" }
        guard state == .released, orderState == "completed" else { return "authorisation-lost" }
        return isCashForNobody ? "cash-for-nobody" : "order-cost-nothing"
    }
}

extension StatementLine {
    /// Nothing comes of it: somebody else does the order.
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
