import Foundation

/// A line of somebody's statement. It changes its state until the matter is settled, never its place.
struct StatementLine: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case payment, share, commission, topUp, cashOut, subscription
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
}

extension Payment {
    /// The lines of both parties, as the payment now stands.
    func statementLines(platformName: String) -> [StatementLine] {
        guard let method, let (lineState, reason) = lineState else { return [] }
        let source = method == .card ? "charge:\(charge?.uuidString.lowercased() ?? "")" : "payment:\(orderText)"
        let paid = StatementLine(
            account: customer, source: source, kind: .payment, market: market, currency: currency,
            amount: -customerPart, order: order, method: method, title: terms.title, payer: customerName,
            beneficiary: terms.providerName ?? "",
            state: lineState, reason: reason)
        guard let provider, [.held, .capturing, .captured, .releasing, .released].contains(state) else { return [paid] }
        let isCash = method == .cash
        let earned = StatementLine(
            account: provider, source: "share:\(orderText)", kind: isCash ? .commission : .share, market: market,
            currency: currency, amount: isCash ? discount - shares.platform : shares.provider, order: order,
            method: method,
            title: terms.title, payer: isCash ? terms.providerName ?? "" : customerName,
            beneficiary: isCash ? platformName : terms.providerName ?? "", state: lineState, reason: reason)
        return [paid, earned]
    }

    private var orderText: String { order.uuidString.lowercased() }

    private var lineState: (StatementLine.State, String?)? {
        switch state {
        case .requested: nil
        case .due: refusal.map { (.rejected, .some($0)) }
        case .authorising, .held, .capturing, .releasing: (.waiting, nil)
        case .captured: (.accepted, nil)
        case .released: (.rejected, refusal ?? endReason)
        // A refused attempt has its line already.
        case .closed: refusal == nil ? (.rejected, endReason) : nil
        }
    }

    /// `order-expired`
    private var endReason: String {
        hasOrderEnded ? "order-\(orderState)" : "authorisation-lost"
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
            currency: currency, amount: amount, order: nil, method: .card, title: [:], payer: holder,
            beneficiary: holder, state: lineState, reason: reason)
    }
}
