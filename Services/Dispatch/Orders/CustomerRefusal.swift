import Contracts
import Foundation
import Postgres
import ServiceKit

/// Reason why an account may not order anything in a market at this moment.
enum CustomerRefusal: Error, Equatable {
    /// The account is being deleted.
    case leaving
    case banned
    /// The wallet has blocked the account, since a fine was not paid in time.
    case blocked
    /// The market asks for a stored card, and the wallet has told of none.
    case methodMissing
    /// Identity's event about the account has not arrived yet.
    case unknown
    /// The account has the maximum number of open orders in the market.
    case tooManyOpen(limit: Int)
}

extension FindOrderingCustomer.Row {
    /// Name of the customer, if the account may order in the market.
    ///
    /// - Throws: ``CustomerRefusal``, except ``CustomerRefusal/leaving`` and ``CustomerRefusal/tooManyOpen(limit:)``
    func requireMayOrder(in market: Market) throws(CustomerRefusal) -> String {
        try requireGoodStanding()
        guard let name else { throw .unknown }
        guard !market.requiresPaymentMethod || hasMethod else { throw .methodMissing }
        return name
    }

    /// - Throws: ``CustomerRefusal/banned``, ``CustomerRefusal/blocked``
    func requireGoodStanding() throws(CustomerRefusal) {
        if isBanned { throw .banned }
        if isBlocked { throw .blocked }
    }
}

extension MarketSettings {
    /// - Parameter open: number of the account's open orders in the market.
    /// - Throws: ``CustomerRefusal/tooManyOpen(limit:)``
    func requireBelowOpenOrderLimit(beside open: Int) throws(CustomerRefusal) {
        guard open < openOrderLimit else { throw .tooManyOpen(limit: openOrderLimit) }
    }
}
