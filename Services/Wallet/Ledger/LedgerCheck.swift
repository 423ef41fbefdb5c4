import Foundation
import Postgres

/// The result of a ledger check. All queries read one unchanging snapshot, so the check may run on a live system.
struct LedgerCheck: Sendable {
    struct Currency: Sendable, Hashable {
        let currency: String
        /// The sum of all accounts; anything but zero is a fault.
        let sum: Int
        let escrow: Int
        /// The sum that the payments say is held.
        let openHolds: Int
        let kinds: [KindBalance]

        var isSound: Bool { sum == 0 && escrow == openHolds }
    }

    let currencies: [Currency]
    /// Filled by a whole check only; at most 100 of each kind.
    let faults: [LedgerFault]
    /// Filled by a whole check only: the heads of the chains, and the faults in them.
    var chains: [LedgerChain] = []
    var chainFaults: [ChainFault] = []

    var isSound: Bool { faults.isEmpty && chainFaults.isEmpty && currencies.allSatisfy(\.isSound) }

    /// Checks the sums alone; reads accounts and open payments.
    static func trialBalance(_ pool: PostgresPool) async throws -> LedgerCheck {
        try await pool.withTransaction(.readOnly) { transaction in
            let (kinds, holds) = try await transaction.queryAll(SumAccounts(), SumOpenHolds())
            return LedgerCheck(currencies: Self.currencies(kinds, holds), faults: [])
        }
    }

    /// Rebuilds every balance from the entries and every chain from the transfers. Reads the whole ledger.
    static func whole(_ pool: PostgresPool) async throws -> LedgerCheck {
        try await pool.withTransaction(.readOnly) { transaction in
            // One statement at a time: each may take long, and a statement's timeout counts from its sending.
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
            faults += try await transaction.query(FindWrongCommissions())
            faults += try await transaction.query(FindWrongCommissionDays())
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

    /// A report for operators.
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
