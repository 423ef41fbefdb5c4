import Contracts
import Foundation
import Hummingbird
import ServiceKit

extension AuthenticatedContext {
    /// The market of the path, or all of them (`*`), which the caller is an admin of. Who is none gets a 403, whether there
    /// is such a market or not.
    func administered() throws(Problem) -> String {
        let id = parameters.get("market") ?? ""
        try caller.require(Role.Kind.admin.rawValue, in: id)
        guard id == Role.everyMarket || Market.named(id) != nil else { throw .notFound }
        return id
    }

    /// The same for one market that there is.
    func administeredMarket() throws(Problem) -> Market {
        guard let market = Market.named(try administered()) else { throw .notFound }
        return market
    }

    /// The market of the path, or all of them, for a master admin.
    func mastered() throws(Problem) -> String {
        try caller.require(Role.Kind.admin.rawValue, in: Role.everyMarket)
        return try administered()
    }
}

extension PageRequest {
    /// Where the page begins.
    func position(first: TimePosition) -> TimePosition {
        guard let values = cursor?.values, values.count == 2, let time = values[0].date, let id = values[1].uuid else {
            return first
        }
        return TimePosition(time: time, id: id)
    }
}
