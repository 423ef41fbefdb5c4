import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// The lists of this service that show many people.
enum DispatchReads {
    static let lists = [
        "/dispatch/v1/markets/{market}/desk": "desk",
        "/dispatch/v1/markets/{market}/calendar": "calendar",
        "/dispatch/v1/markets/{market}/clients": "clients",
        "/dispatch/v1/markets/{market}/bikes/out": "bikes out",
        "/dispatch/v1/orders/{id}/partners": "partners",
    ]

    static func middleware(_ pool: PostgresPool) -> RecordReadMiddleware {
        RecordReadMiddleware(lists) { read in
            let viewed = DispatchListViewed(
                market: read.market, list: read.list, filter: read.filter, isFile: read.isFile, by: read.by,
                at: .thisMillisecond)
            try await pool.withTransaction { transaction in try transaction.publish(viewed) }
        }
    }
}
