import ServiceKit

/// Hashes a newly chosen password, unless it is known from a breach (I3).
struct HashNewPassword: Sendable {
    let hasher: PasswordHasher
    /// Nil when no list is configured.
    let breached: BreachedPasswords?

    /// - Parameter field: the form field of the password, for the error.
    /// - Throws: ``IdentityError/breachedPassword(field:)``, ``PasswordHasher/Busy``, `CancellationError`.
    func callAsFunction(_ password: Redacted<String>, field: String = "password") async throws -> String {
        if let breached {
            // On the hasher's threads, because it waits for the disk.
            let isKnown = try await hasher.onThread { try breached.contains(password.revealed) }
            guard !isKnown else { throw IdentityError.breachedPassword(field: field) }
        }
        return try await hasher.hash(password)
    }
}
