import Contracts
import Foundation
import Messaging
import Postgres

/// Takes down that somebody wants a link or a code for an account, by its e-mail address or mobile number. Whether there
/// is such an account is looked up later, by the deadline that this sets: the request reads nothing and writes one row in
/// either case, so neither its answer nor its time tells who has an account.
struct AskProof: Sendable {
    static let deadline = "identity.proof-asked"

    /// What was asked for, as it lies in the row: hashes of names, no names.
    struct Asked: Sendable, Equatable {
        let purpose: ProofRule.Purpose
        let login: FindPassword

        /// Of each asking a row of its own: one that is being answered keeps nobody waiting.
        func subject(_ id: UUID) -> String {
            let (kind, hash) = login.emailHash.map { ("email", $0) } ?? ("mobile", login.mobileHash ?? [])
            return "\(purpose.rawValue) \(kind) \(Data(hash).base64EncodedString()) \(id.text)"
        }

        init(_ purpose: ProofRule.Purpose, _ login: FindPassword) {
            self.purpose = purpose
            self.login = login
        }

        /// - Returns: nil for what ``subject(_:)`` did not write.
        init?(subject: String) {
            let parts = subject.split(separator: " ").map(String.init)
            guard parts.count == 4, let purpose = ProofRule.Purpose(rawValue: parts[0]),
                let hash = Data(base64Encoded: parts[2]).map(Array.init)
            else { return nil }
            switch parts[1] {
            case "email": self.init(purpose, FindPassword(emailHash: hash, mobileHash: nil))
            case "mobile": self.init(purpose, FindPassword(emailHash: nil, mobileHash: hash))
            default: return nil
            }
        }
    }

    let sendProof: SendProof

    /// - Parameter login: as ``CheckCredentials/find(_:)`` makes it; nothing is looked up.
    func callAsFunction(
        _ purpose: ProofRule.Purpose, for login: FindPassword, at now: Date, in transaction: PostgresTransaction
    ) {
        transaction.set(
            Deadline(kind: Self.deadline, subject: Asked(purpose, login).subject(.timeOrdered()), dueAt: now))
    }

    /// Looks for the account, and sends what was asked for if it may be had. Unknown names end here, in silence.
    func answer(_ deadline: Deadline, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let asked = Asked(subject: deadline.subject),
            let found = try await find(asked, in: transaction),
            let account = try await Accounts.lockIfFound(found, in: transaction)
        else { return }
        switch asked.purpose {
        case .password: try await sendProof(.password, to: account, by: .email, at: now, in: transaction)
        // Only an admin invites.
        case .invitation: return
        case .confirm:
            guard let standing = try await transaction.first(FindStanding(account: account.id)), !standing.isConfirmed,
                let method = standing.confirmsBy.flatMap(Market.Confirmation.init(rawValue:))
            else { return }
            try await sendProof(.confirm, to: account, by: method, at: now, in: transaction)
        }
    }

    private func find(_ asked: Asked, in transaction: PostgresTransaction) async throws -> UUID? {
        switch asked.purpose {
        case .password: try await transaction.first(asked.login)?.account
        case .invitation: nil
        case .confirm: try await transaction.first(FindWaiting(login: asked.login))
        }
    }
}
