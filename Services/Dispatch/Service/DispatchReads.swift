import Contracts
import Foundation
import Messaging

extension DispatchListViewed {
    /// An admin's read of one thing, whose market its address does not name.
    ///
    /// - Parameter isLater: whether it is a further page of the same list.
    init(_ list: String, of id: UUID, in market: String, by admin: UUID, isLater: Bool = false, at now: Date) {
        self.init(
            market: market, list: list, filter: ["id": id.text].merging(isLater ? ["page": "later"] : [:]) { $1 },
            isFile: false, by: admin, at: now)
    }
}

extension DispatchService {
    static let recordedReads = [
        "/dispatch/v1/markets/{market}/desk": "desk",
        "/dispatch/v1/markets/{market}/calendar": "calendar",
        "/dispatch/v1/markets/{market}/clients": "clients",
        "/dispatch/v1/markets/{market}/bikes/out": "bikes out",
        "/dispatch/v1/markets/{market}/series": "series of a customer",
        "/dispatch/v1/markets/{market}/desk/partners": "partners of a day",
        "/dispatch/v1/markets/{market}/merchants": "restaurants",
        "/dispatch/v1/orders/{id}/partners": "partners",
    ]
}
