import Foundation
import Messaging
import Postgres
import ServiceKit

/// The lists of this service that show many people. (The audit log itself is none of them: it would grow by being read.)
enum AdminReads {
    static let lists = [
        "/admin/v1/markets/{market}/orders": "orders",
        "/admin/v1/markets/{market}/orders.csv": "orders.csv",
        "/admin/v1/markets/{market}/money.csv": "money.csv",
        "/admin/v1/markets/{market}/people": "people",
        "/admin/v1/markets/{market}/reports": "reports",
    ]

    static func middleware(_ pool: PostgresPool) -> RecordReadMiddleware {
        RecordReadMiddleware(lists) { read in
            let entry = AuditEntry(
                id: .timeOrdered(), at: Date(), market: read.market, service: AdminService.name,
                action: read.isFile ? "list.exported" : "list.viewed", account: read.by, subject: read.list,
                before: nil, after: try AuditEntry.values(read.filter))
            try await pool.withTransaction { transaction in transaction.send(InsertAudit(entry)) }
        }
    }
}
