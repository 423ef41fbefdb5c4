import Foundation

extension Transfers {
    /// Sets the amount aside for the decision and the payout. Refused when the wallet holds less.
    static func holdCashOut(_ cashOut: CashOut, id: UUID) -> Transfer {
        make(.cashOut, cashOut, id, from: .wallet(cashOut.account, cashOut.currency), to: held(cashOut))
    }

    /// Returns the amount of a rejected or failed cash-out to the wallet.
    static func giveBackCashOut(_ cashOut: CashOut, id: UUID) -> Transfer {
        make(.cashOutReturn, cashOut, id, from: held(cashOut), to: .wallet(cashOut.account, cashOut.currency))
    }

    /// The payment provider has paid the cash-out.
    static func payOut(_ cashOut: CashOut, id: UUID) -> Transfer {
        make(.payout, cashOut, id, from: held(cashOut), to: external(cashOut))
    }

    /// The bank has sent a paid cash-out back.
    static func bringBackPayout(_ cashOut: CashOut, id: UUID) -> Transfer {
        make(.payoutReturn, cashOut, id, from: external(cashOut), to: .wallet(cashOut.account, cashOut.currency))
    }

    private static func make(
        _ kind: Transfer.Kind, _ cashOut: CashOut, _ id: UUID, from: AccountReference, to: AccountReference
    ) -> Transfer {
        Transfer(id: id, kind, of: cashOut.id, currency: cashOut.currency, [Move(cashOut.amount, from: from, to: to)])
    }

    private static func held(_ cashOut: CashOut) -> AccountReference { .cashOut(cashOut.id, cashOut.currency) }
    private static func external(_ cashOut: CashOut) -> AccountReference {
        .external(cashOut.currency, for: cashOut.id)
    }
}
