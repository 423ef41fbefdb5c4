import Foundation
import Postgres

/// What the ledger holds and whether it is sound, of one moment of a running system: everything is read in one snapshot
/// that does not change.
struct LedgerCheck: Sendable {
    struct Currency: Sendable, Hashable {
        let currency: String
        /// Zero, or something is wrong.
        let sum: Int
        let escrow: Int
        /// What the payments say is held.
        let openHolds: Int
        let kinds: [KindBalance]

        var isSound: Bool { sum == 0 && escrow == openHolds }
    }

    let currencies: [Currency]
    /// Only from a whole check. At most a hundred of each kind.
    let faults: [LedgerFault]
    /// Only from a whole check: the heads of the chains, and what the chains show.
    var chains: [LedgerChain] = []
    var chainFaults: [ChainFault] = []

    var isSound: Bool { faults.isEmpty && chainFaults.isEmpty && currencies.allSatisfy(\.isSound) }

    /// Sums alone: reads accounts and open payments.
    static func trialBalance(_ pool: PostgresPool) async throws -> LedgerCheck {
        try await pool.withTransaction(.readOnly) { transaction in
            let (kinds, holds) = try await transaction.queryAll(SumAccounts(), SumOpenHolds())
            return LedgerCheck(currencies: Self.currencies(kinds, holds), faults: [])
        }
    }

    /// Everything: rebuilds every balance from the entries, and every chain from the transfers. Reads the whole ledger.
    static func whole(_ pool: PostgresPool) async throws -> LedgerCheck {
        try await pool.withTransaction(.readOnly) { transaction in
            // One statement at a time: each may take long, and an answer is waited for from the sending on.
            let kinds = try await transaction.query(SumAccounts())
            let holds = try await transaction.query(SumOpenHolds())
            var faults = try await transaction.query(FindWrongBalances())
            faults += try await transaction.query(FindWrongEntries())
            faults += try await transaction.query(FindUnbalancedTransfers())
            faults += try await transaction.query(FindWrongEscrows())
            faults += try await transaction.query(FindWrongRefunds())
            faults += try await transaction.query(FindWrongHolds())
            faults += try await transaction.query(FindChangedHolds())
            faults += try await transaction.query(FindLostEntries())
            faults += try await transaction.query(FindWrongCashOuts())
            faults += try await transaction.query(FindWrongPromotions())
            faults += try await transaction.query(FindWrongDebts())
            let (chains, chainFaults) = try await ChainCheck.run(in: transaction)
            return LedgerCheck(
                currencies: Self.currencies(kinds, holds), faults: faults, chains: chains, chainFaults: chainFaults)
        }
    }

    private static func currencies(_ kinds: [KindBalance], _ holds: [WalletRow]) -> [Currency] {
        let names = Set(kinds.map(\.currency)).union(holds.map(\.currency)).sorted()
        return names.map { name in
            let own = kinds.filter { $0.currency == name }
            return Currency(
                currency: name, sum: own.map(\.balance).reduce(0, +),
                escrow: own.first { $0.kind == AccountReference.Kind.escrow.rawValue }?.balance ?? 0,
                openHolds: holds.first { $0.currency == name }?.amount ?? 0, kinds: own)
        }
    }

    /// For people.
    var report: String {
        var lines = currencies.map { currency in
            let kinds = currency.kinds.map { "\($0.kind) \($0.balance) in \($0.accounts)" }.joined(separator: ", ")
            return "\(currency.currency): sum \(currency.sum), escrow \(currency.escrow), "
                + "open holds \(currency.openHolds) (\(kinds))"
        }
        lines += chains.filter { $0.place > 0 }.map { chain in
            let hash = chain.hash.map { String(format: "%02x", $0) }.joined()
            return "chain \(chain.id): \(chain.place) transfers, the last one's hash \(hash)"
        }
        lines += faults.map { "WRONG: \($0)" }
        lines += chainFaults.map { "WRONG: \($0)" }
        lines.append(isSound ? "The ledger is sound." : "The ledger is NOT sound.")
        return lines.joined(separator: "\n")
    }
}
