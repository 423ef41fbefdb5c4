import Foundation
import HTTPTypes
import Postgres
import ServiceKit

/// Admits an account to start something in a market, unless it is being deleted or is banned there.
///
/// It shares the account's lock, so the handling of a later ban or deletion waits for the commit and sees what was
/// started.
enum Admission {
    /// - Throws: ``Problem/accountLeaving``, ``Problem/banned``
    static func require(_ account: UUID, in market: String, _ transaction: PostgresTransaction) async throws {
        let (_, leaving, banned) = try await transaction.queryAll(
            AccountDeletionGuard.Share([account]), AccountDeletionGuard.Find([account]),
            FindBanned(accounts: [account], market: market))
        guard leaving.isEmpty else { throw Problem.accountLeaving }
        guard banned.isEmpty else { throw Problem.banned }
    }

    /// Admits an account to order; an unpaid fine blocks it, too. Each order checks by itself that the account is known
    /// and can pay.
    ///
    /// - Throws: ``CustomerRefusal/leaving``, ``CustomerRefusal/banned``, ``CustomerRefusal/blocked``
    static func requireToOrder(
        _ account: UUID, in market: String, _ transaction: PostgresTransaction
    ) async throws {
        let (_, leaving, orderers) = try await transaction.queryAll(
            AccountDeletionGuard.Share([account]), AccountDeletionGuard.Find([account]),
            FindOrderingCustomer(account: account, market: market))
        guard leaving.isEmpty else { throw CustomerRefusal.leaving }
        try orderers.first?.requireGoodStanding()
    }
}

extension Problem {
    /// 403: the caller is banned in the market, temporarily or permanently.
    static let banned = Problem("banned", status: .forbidden)
    /// 403: a fine was not paid in time; new orders in the market are refused until it is paid.
    ///
    /// The wallet refuses payments with a problem of the same name, and knows the amount.
    static let accountBlocked = Problem("account-blocked", status: .forbidden)
}
