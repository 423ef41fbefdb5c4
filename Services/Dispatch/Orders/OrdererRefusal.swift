import Contracts
import Foundation
import Postgres
import ServiceKit

/// Why a person may order nothing in a market at this moment, whatever it is.
enum OrdererRefusal: Error, Equatable {
    /// The account is being deleted.
    case leaving
    case banned
    /// A fine was not paid in time.
    case blocked
    /// The market asks for a stored card, and nobody has told of one.
    case methodMissing
    /// Identity has not told of the account yet.
    case unknown
    /// So many orders of the account go on in the market as one may have there at a time.
    case tooManyOpen(limit: Int)
}

extension FindOrderer.Row {
    /// The name of who may order in the market.
    ///
    /// - Throws: ``OrdererRefusal``, all but ``OrdererRefusal/leaving``
    func nameToOrder(in market: Market) throws(OrdererRefusal) -> String {
        try requireGoodStanding()
        guard let name else { throw .unknown }
        guard !market.requiresPaymentMethod || hasMethod else { throw .methodMissing }
        return name
    }

    /// - Throws: ``OrdererRefusal/banned``, ``OrdererRefusal/blocked``
    func requireGoodStanding() throws(OrdererRefusal) {
        if isBanned { throw .banned }
        if isBlocked { throw .blocked }
    }
}

extension MarketSettings {
    /// - Parameter open: how many orders of the account go on in the market already.
    /// - Throws: ``OrdererRefusal/tooManyOpen(limit:)``
    func requireRoom(beside open: Int) throws(OrdererRefusal) {
        guard open < openOrderLimit else { throw .tooManyOpen(limit: openOrderLimit) }
    }
}
