import Foundation

extension Transfers {
    /// Debits money that the payment provider has taken back; the wallet may go below zero.
    static func take(_ dispute: Dispute, id: UUID) -> Transfer {
        Transfer(
            id: id, .dispute, of: dispute.id, currency: dispute.currency,
            [Move(dispute.amount, from: payer(of: dispute), to: external(dispute), overdraws: true)])
    }

    /// Returns the money of a dispute that the bank decided for the platform.
    ///
    /// - Parameter toPlatform: minor units that the platform gets, because it has written off so much of the debt.
    static func giveBack(_ dispute: Dispute, toPlatform: Int, id: UUID) -> Transfer {
        Transfer(
            id: id, .disputeReturn, of: dispute.id, currency: dispute.currency,
            [
                Move(dispute.amount - toPlatform, from: external(dispute), to: payer(of: dispute)),
                Move(toPlatform, from: external(dispute), to: .platform(dispute.currency, for: dispute.id)),
            ])
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
