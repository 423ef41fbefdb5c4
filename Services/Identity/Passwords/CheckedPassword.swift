import Foundation

/// A password that was right for this hash. It may have been changed since: whoever acts on it compares the hash with
/// the account's under its lock.
struct CheckedPassword: Sendable {
    let account: UUID
    let hash: String
}
