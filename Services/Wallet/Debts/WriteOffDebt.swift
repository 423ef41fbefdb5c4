import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Writes off a debtor's debt by an admin's decision: the platform pays it, those who wait for it get their money, and
/// both can leave ([0053](../../../docs/decisions/0053-debts-that-nobody-pays.md)).
enum WriteOffDebt {
    enum Outcome {
        case made(WriteOff)
        case waits(Approval)
    }

    /// The debt of an account in minor units.
    struct Owed: Sendable {
        /// In all.
        let all: Int
        /// The part that the market's admins may write off.
        let inMarket: Int

        fileprivate init(balance: Int, overdrawn: Int) {
            all = max(0, -balance)
            inMarket = WriteOff.limit(balance: balance, overdrawn: overdrawn)
        }
    }

    /// - Parameters:
    ///   - market: the admin's market.
    ///   - threshold: the market's `secondApprovalAmount` in the wish's currency.
    /// - Throws: ``WriteOff/Refusal``; a 403 ``Problem`` for the admin's own matter; a 404 ``Problem`` for an account that
    ///   owes nothing here, or that is gone.
    static func begin(
        _ wish: WriteOff.Wish, in market: String, by admin: UUID, above threshold: Int, at: Date,
        in transaction: PostgresTransaction
    ) async throws -> Outcome {
        LockDaySum.send([wish.account, admin], in: transaction)
        let owed = try await admit(wish, in: market, by: [admin], in: transaction)
        let since = at.addingTimeInterval(-SecondApprovalRule.windowSeconds)
        let (received, own, waiting) = try await transaction.queryAll(
            SumWriteOffs(account: wish.account, currency: wish.currency, since: since),
            SumDecidedAlone(admin: admin, currency: wish.currency, since: since),
            SumWaitingWriteOffs(account: wish.account, market: market, currency: wish.currency))
        guard wish.amount <= owed.inMarket - (waiting.first ?? 0) else { throw WriteOff.Refusal.waits }
        let earlier = max(received.first ?? 0, own.first ?? 0)
        if SecondApprovalRule.isNeeded(wish.amount, after: earlier, above: threshold) {
            return .waits(
                try BeginApproval.begin(
                    .writeOff, wish.account, in: market, wish.amount, wish.currency, .writeOff(wish), by: admin, at: at,
                    in: transaction))
        }
        let writeOff = try await make(wish, in: market, by: admin, at: at, in: transaction)
        try tell(writeOff, by: admin, in: transaction)
        return .made(writeOff)
    }

    /// Makes an approved write-off, if it is still possible.
    ///
    /// - Throws: as ``begin(_:in:by:above:at:in:)``.
    static func approved(
        _ wish: WriteOff.Wish, of approval: Approval, by second: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws {
        _ = try await admit(wish, in: approval.market, by: [approval.begunBy, second], in: transaction)
        _ = try await make(
            wish, in: approval.market, by: approval.begunBy, approvedBy: second, id: approval.id, at: at,
            in: transaction)
    }

    /// The debt of an account, for a reader: it may change at any time.
    static func owed(
        by account: UUID, _ currency: String, in market: String, transaction: PostgresTransaction
    ) async throws -> Owed {
        let (balances, overdrafts) = try await transaction.queryAll(
            ReadBalance(account: account, currency: currency),
            SumOverdrafts(account: account, currency: currency, market: market))
        return Owed(balance: balances.first ?? 0, overdrawn: overdrafts.first ?? 0)
    }

    /// The debt of an account. The lock keeps the wallet's balance unchanged until the commit.
    private static func lockedOwed(
        by account: UUID, _ currency: String, in market: String, transaction: PostgresTransaction
    ) async throws -> Owed {
        let (wallets, overdrafts) = try await transaction.queryAll(
            LockWallets(accounts: [account], currency: currency),
            SumOverdrafts(account: account, currency: currency, market: market))
        return Owed(balance: wallets.first?.balance ?? 0, overdrawn: overdrafts.first ?? 0)
    }

    private static func admit(
        _ wish: WriteOff.Wish, in market: String, by admins: [UUID], in transaction: PostgresTransaction
    ) async throws -> Owed {
        for admin in admins {
            // An admin who waits for the money would pay it to himself.
            let own = try await transaction.first(FindWaitingBetween(debtor: wish.account, receiver: admin))
            guard wish.account != admin, own == nil else { throw Problem.ownMatter }
        }
        guard try await transaction.first(FindGoneAccount(account: wish.account)) == nil else { throw Problem.notFound }
        let owed = try await lockedOwed(by: wish.account, wish.currency, in: market, transaction: transaction)
        guard owed.inMarket > 0 else { throw Problem.notFound }
        // Read under the wallet's lock, for which a dispute that takes money waits. Money that the bank gives back goes to
        // the wallet, which would have it twice.
        guard try await transaction.first(FindUndecidedDispute(account: wish.account)) == nil else {
            throw WriteOff.Refusal.frozen
        }
        guard wish.amount <= owed.inMarket else {
            throw WriteOff.Refusal.moreThanOwed(owed.inMarket, currency: wish.currency)
        }
        return owed
    }

    private static func make(
        _ wish: WriteOff.Wish, in market: String, by admin: UUID, approvedBy second: UUID? = nil,
        id: UUID = .timeOrdered(), at: Date, in transaction: PostgresTransaction
    ) async throws -> WriteOff {
        let writeOff = WriteOff(
            id: id, market: market, account: wish.account, currency: wish.currency, amount: wish.amount,
            reason: wish.reason, by: admin, approvedBy: second, at: at)
        transaction.send(InsertWriteOff(writeOff: writeOff))
        transaction.send(StoreStatementLine(id: .timeOrdered(), line: writeOff.statementLine, at: at))
        try await Ledger.post([Transfers.writeOff(writeOff, id: .timeOrdered())], in: transaction)
        return writeOff
    }

    private static func tell(_ writeOff: WriteOff, by admin: UUID, in transaction: PostgresTransaction) throws {
        try transaction.publish(
            WriteOffChanged(
                writeOff: writeOff.id, market: writeOff.market, account: writeOff.account,
                amount: Money(amount: writeOff.amount, currency: writeOff.currency), state: .made,
                reason: writeOff.reason, by: admin, at: writeOff.at))
    }
}

extension WriteOff {
    /// The debtor's line: the platform has paid.
    fileprivate var statementLine: StatementLine {
        StatementLine(
            account: account, source: "writeOff:\(id.uuidString.lowercased())", kind: .refund, market: market,
            currency: currency, amount: amount, order: nil, method: .wallet, title: [:],
            payer: PlatformName.of(market), beneficiary: "", state: .accepted, reason: "written-off")
    }
}
