import ServiceKit

/// Hashes a password that somebody chooses, unless it is known from a breach (I3).
struct HashNewPassword: Sendable {
    let hasher: PasswordHasher
    /// Nil where no list is configured.
    let breached: BreachedPasswords?

    /// - Parameter field: of the form that it came in.
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
