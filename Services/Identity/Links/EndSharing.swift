import Foundation
import Messaging
import Postgres

extension SharedPlace {
    /// The deadline at the end of sharing: the place is deleted then.
    static let deadline = "identity.shared-place-ends"

    static func end(_ fired: Deadline, in transaction: PostgresTransaction) {
        guard let account = UUID(uuidString: fired.subject) else { return }
        transaction.send(EndSharedPlace(account: account, now: fired.dueAt))
        transaction.send(ForgetStrays(of: account))
    }
}
