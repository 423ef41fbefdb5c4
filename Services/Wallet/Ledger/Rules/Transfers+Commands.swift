import Foundation

/// Transfers that other services ask for.
extension Transfers {
    static func place(_ hold: Hold, key: String, id: UUID) -> Transfer {
        Transfer(
            id: id, .hold, of: hold.subject, currency: hold.currency, key: key,
            [Move(hold.amount, from: hold.wallet, to: hold.account)])
    }

    /// Pays the shares and returns the rest to the wallet.
    static func capture(_ hold: Hold, _ shares: [LedgerCommand.Share], key: String, id: UUID) -> Transfer {
        let rest = hold.amount - shares.reduce(0) { $0 + $1.amount }
        return Transfer(
            id: id, .capture, of: hold.subject, currency: hold.currency, key: key,
            shares.map { Move($0.amount, from: hold.account, to: $0.to) }
                + [Move(rest, from: hold.account, to: hold.wallet)])
    }

    static func giveBack(_ hold: Hold, key: String, id: UUID) -> Transfer {
        Transfer(
            id: id, .release, of: hold.subject, currency: hold.currency, key: key,
            [Move(hold.amount, from: hold.account, to: hold.wallet)])
    }

    static func commanded(
        _ legs: [LedgerCommand.Leg], of subject: UUID, _ currency: String, key: String, id: UUID
    ) -> Transfer {
        Transfer(
            id: id, .transfer, of: subject, currency: currency, key: key,
            legs.map { Move($0.amount, from: $0.from, to: $0.to) })
    }

    /// Reverses the legs, the last one first.
    static func opposite(of original: LedgerCommand.Original, key: String, id: UUID) -> Transfer {
        Transfer(
            id: id, .reversal, of: original.subject, currency: original.currency, key: key,
            original.legs.reversed().map { Move($0.amount, from: $0.to, to: $0.from) })
    }
}
