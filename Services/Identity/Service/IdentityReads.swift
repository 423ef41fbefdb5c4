import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// The lists of this service that show many people. A person that an admin looks up is one of
/// them: of whom it was is kept.
enum IdentityReads {
    static let lists = [
        "/identity/v1/markets/{market}/providers": "providers",
        "/identity/v1/markets/{market}/links": "links",
        "/identity/v1/markets/{market}/removals": "removals",
        "/identity/v1/markets/{market}/bans": "bans",
        "/identity/v1/markets/{market}/admins": "admins",
        "/identity/v1/markets/{market}/people/{account}": "person",
    ]

    static func middleware(_ pool: PostgresPool) -> RecordReadMiddleware {
        RecordReadMiddleware(lists) { read in
            let viewed = IdentityListViewed(
                market: read.market, list: read.list, filter: read.filter, isFile: read.isFile, by: read.by,
                at: Date())
            try await pool.withTransaction { transaction in try transaction.publish(viewed) }
        }
    }
}
