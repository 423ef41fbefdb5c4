import Foundation
import Messaging
import Postgres

extension SharedPlace {
    /// Fires when it ends: it is not kept a moment longer.
    static let deadline = "identity.shared-place-ends"

    static func end(_ fired: Deadline, in transaction: PostgresTransaction) {
        guard let account = UUID(uuidString: fired.subject) else { return }
        transaction.send(EndSharedPlace(account: account, now: fired.dueAt))
    }
}
