import Foundation
import Postgres

/// Rewrites numbers that were stored before numbering plans were applied: `+460701234567` becomes `+46701234567`. May
/// run while the service runs, any number of times; correct numbers stay as they are.
struct MendNumbers: Sendable {
    static let batch = 200

    let pool: PostgresPool
    let cipher: PersonalDataCipher

    /// - Returns: the number of rewritten rows, and of rows left because another account has proved the number: what
    ///   happens to such an account is its owner's decision.
    func callAsFunction() async throws -> (mended: Int, left: Int) {
        var after = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        var (mended, left) = (0, 0)
        while true {
            try Task.checkCancellation()
            let values = try await pool.query(ListMobiles(after: after, limit: Self.batch))
            guard let last = values.last else { return (mended, left) }
            for value in values {
                switch try await mend(value) {
                case true?: mended += 1
                case false?: left += 1
                case nil: break
                }
            }
            after = last.id
        }
    }

    /// - Returns: true when rewritten, false when left; nil when there was nothing to do.
    private func mend(_ value: SealedValue) async throws -> Bool? {
        let text = try cipher.open(value.sealed, .mobile, of: value.id)
        guard let number = MobileNumber(known: text), number.text != text else { return nil }
        let contact = ContactHash(kind: .mobile, hash: cipher.hash(number.text, for: .mobile))
        let sealed = try cipher.seal(number.text, .mobile, of: value.id)
        return try await pool.withTransaction { transaction in
            // The same lock order as for proving a number: the contact first, then its accounts in the order of their
            // ids.
            try await transaction.execute(LockContact(hash: contact.hash))
            let holders = try await transaction.query(LockHolders(account: value.id, contact: contact))
            guard !holders.contains(where: { $0.account != value.id && $0.isProved }) else { return false }
            let rewrite = RewriteMobile(account: value.id, old: value.sealed, new: sealed, hash: contact.hash)
            return try await transaction.execute(rewrite) == 1 ? true : nil
        }
    }
}
