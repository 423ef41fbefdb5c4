import Contracts
import Foundation
import Hummingbird
import ServiceKit

extension AuthenticatedContext {
    /// The market of the path, or `*` for all markets, of which the caller is an admin. Other callers get a 403,
    /// whether the market exists or not.
    func administered() throws(Problem) -> String {
        let id = parameters.get("market") ?? ""
        try caller.require(Role.Kind.admin.rawValue, in: id)
        guard id == Role.everyMarket || Market.named(id) != nil else { throw .notFound }
        return id
    }

    /// The same for one existing market.
    func administeredMarket() throws(Problem) -> Market {
        guard let market = Market.named(try administered()) else { throw .notFound }
        return market
    }

    /// The market of the path, or `*`, for a master admin.
    func mastered() throws(Problem) -> String {
        try caller.require(Role.Kind.admin.rawValue, in: Role.everyMarket)
        return try administered()
    }
}

extension ListPage {
    /// The position at which the page begins.
    func position(first: TimePosition) -> TimePosition { last.map { TimePosition(time: $0.at, id: $0.id) } ?? first }
}
