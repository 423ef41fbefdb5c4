import Contracts
import Foundation
import Messaging
import Postgres

/// Records a request for a link or a code for an account, named by e-mail address or mobile number. The deadline that
/// this sets looks the account up later. The request itself reads nothing and writes one row in either case, so neither
/// its answer nor its duration tells whether the account exists.
struct AskProof: Sendable {
    static let deadline = "identity.proof-asked"

    /// The request as it is stored in the deadline's row: hashes of names, no names.
    struct Asked: Sendable, Equatable {
        let purpose: ProofRule.Purpose
        let login: FindPassword

        /// A new subject for each request, so a request never waits for the row lock of one that is being answered.
        func subject(_ id: UUID) -> String {
            let (kind, hash) = login.emailHash.map { ("email", $0) } ?? ("mobile", login.mobileHash ?? [])
            return "\(purpose.rawValue) \(kind) \(Data(hash).base64EncodedString()) \(id.text)"
        }

        init(_ purpose: ProofRule.Purpose, _ login: FindPassword) {
            self.purpose = purpose
            self.login = login
        }

        /// - Returns: nil for a text that ``subject(_:)`` did not write.
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

    /// - Parameter login: as ``CheckCredentials/find(_:)`` makes it; no row is looked up.
    func callAsFunction(
        _ purpose: ProofRule.Purpose, for login: FindPassword, at now: Date, in transaction: PostgresTransaction
    ) {
        transaction.set(
            Deadline(kind: Self.deadline, subject: Asked(purpose, login).subject(.timeOrdered()), dueAt: now))
    }

    /// Looks the account up and sends the link or code if the limits allow it. For an unknown name nothing happens.
    func answer(_ deadline: Deadline, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let asked = Asked(subject: deadline.subject),
            let found = try await find(asked, in: transaction),
            let account = try await Accounts.lockIfFound(found, in: transaction)
        else { return }
        switch asked.purpose {
        case .password: try await sendProof(.password, to: account, by: .email, at: now, in: transaction)
        // Only an admin can invite.
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
