import Foundation

/// A password that was right for this hash. It may have been changed since the check, so its user compares the hash
/// with the account's under the account's lock.
struct CheckedPassword: Sendable {
    let account: UUID
    let hash: String
}
