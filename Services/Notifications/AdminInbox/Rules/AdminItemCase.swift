import Foundation

/// How far something that waits for admins has come, and what an admin may do with it.
struct AdminItemCase: Sendable, Equatable {
    enum State: String, Sendable, CaseIterable {
        case waiting
        /// One admin has it.
        case taken
        /// An admin said so.
        case done
        /// What was waited for has happened in the service that owns the thing.
        case settled

        var isOpen: Bool { self == .waiting || self == .taken }
    }

    enum Act: Sendable { case take, release, finish, reopen }

    enum Refusal: Error, Equatable {
        /// Nobody decides about himself or herself.
        case ownMatter
        /// Another admin has it.
        case taken
        /// It does not wait any more.
        case ended
    }

    var state: State
    var takenBy: UUID?
    /// Whom it is about.
    var person: UUID?

    /// The case after an act; the same where it was so already.
    func after(_ act: Act, by admin: UUID) throws(Refusal) -> AdminItemCase {
        var next = self
        switch act {
        case .take:
            try checkOpen(for: admin)
            (next.state, next.takenBy) = (.taken, admin)
        case .release:
            // Any admin may: the one who took it may be on holiday.
            guard state.isOpen else { throw .ended }
            (next.state, next.takenBy) = (.waiting, nil)
        case .finish:
            if state == .done { return self }
            try checkOpen(for: admin)
            (next.state, next.takenBy) = (.done, admin)
        case .reopen:
            if state.isOpen { return self }
            guard state == .done else { throw .ended }
            (next.state, next.takenBy) = (.waiting, nil)
        }
        return next
    }

    private func checkOpen(for admin: UUID) throws(Refusal) {
        guard person != admin else { throw .ownMatter }
        guard state.isOpen else { throw .ended }
        guard takenBy == nil || takenBy == admin else { throw .taken }
    }
}
