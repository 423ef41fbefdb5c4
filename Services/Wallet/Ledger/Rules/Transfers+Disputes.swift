import Foundation

extension Transfers {
    /// Debits money that the payment provider has taken back; the wallet may go below zero.
    static func take(_ dispute: Dispute, id: UUID) -> Transfer {
        make(.dispute, dispute, id, from: payer(of: dispute), to: external(dispute), overdraws: true)
    }

    /// Returns the money of a dispute that the bank decided for the platform.
    static func giveBack(_ dispute: Dispute, id: UUID) -> Transfer {
        make(.disputeReturn, dispute, id, from: external(dispute), to: payer(of: dispute), overdraws: false)
    }

    private static func make(
        _ kind: Transfer.Kind, _ dispute: Dispute, _ id: UUID, from: AccountReference, to: AccountReference,
        overdraws: Bool
    ) -> Transfer {
        Transfer(
            id: id, kind, of: dispute.id, currency: dispute.currency,
            [Move(dispute.amount, from: from, to: to, overdraws: overdraws)])
    }

    private static func payer(of dispute: Dispute) -> AccountReference {
        switch dispute.payer {
        case .wallet: .wallet(dispute.account, dispute.currency)
        case .platform: .platform(dispute.currency, for: dispute.id)
        }
    }

    private static func external(_ dispute: Dispute) -> AccountReference {
        .external(dispute.currency, for: dispute.id)
    }
}
