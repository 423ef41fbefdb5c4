import Foundation
import HTTPTypes
import Postgres
import ServiceKit

/// Whether somebody may begin something in a market: not who leaves the platform, and not who is banned there.
///
/// A ban or a deletion that is heard from now on waits for the commit, and so sees what has begun.
enum Admission {
    /// - Throws: ``Problem/accountLeaving``, ``Problem/banned``
    static func require(_ account: UUID, in market: String, _ transaction: PostgresTransaction) async throws {
        let (_, leaving, banned) = try await transaction.queryAll(
            LeavingAccounts.Share([account]), LeavingAccounts.Find([account]),
            FindBanned(accounts: [account], market: market))
        guard leaving.isEmpty else { throw Problem.accountLeaving }
        guard banned.isEmpty else { throw Problem.banned }
    }

    /// The same of who is about to order, which an unpaid fine stands in the way of, too. Whether such a person is known and
    /// can pay is seen with each order.
    ///
    /// - Throws: ``OrdererRefusal/leaving``, ``OrdererRefusal/banned``, ``OrdererRefusal/blocked``
    static func requireToOrder(
        _ account: UUID, in market: String, _ transaction: PostgresTransaction
    ) async throws {
        let (_, leaving, orderers) = try await transaction.queryAll(
            LeavingAccounts.Share([account]), LeavingAccounts.Find([account]),
            FindOrderer(account: account, market: market))
        guard leaving.isEmpty else { throw OrdererRefusal.leaving }
        try orderers.first?.requireGoodStanding()
    }
}

extension Problem {
    /// 403: the caller may do nothing in the market, for a while or for ever.
    static let banned = Problem("banned", status: .forbidden)
    /// 403: a fine was not paid in time, and until it is nothing new is ordered in the market.
    ///
    /// Wallet refuses payments by the same name, and knows what is owed.
    static let accountBlocked = Problem("account-blocked", status: .forbidden)
}
