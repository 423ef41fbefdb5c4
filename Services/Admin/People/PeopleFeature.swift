import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

extension Feature {
    static func people(_ routes: AdminRoutes) -> Feature {
        Feature(
            "people",
            routes: {
                $0.signedIn.get("markets/{market}/people", use: routes.people)
                $0.signedIn.get("markets/{market}/names", use: routes.names)
            },
            handlers: PeopleHandlers.register
        )
    }
}

/// Keeps people as identity's events tell them. Each event has a transaction of its own: its rows have no common lock order
/// with those of orders.
enum PeopleHandlers {
    static func register(in handlers: inout MessageHandlers) {
        handlers.on(AccountRegistered.self, sharesTransaction: false) { received, transaction in
            try await RecordPerson.registered(received.message, in: transaction)
        }
        handlers.on(AccountChanged.self, sharesTransaction: false) { received, transaction in
            try await RecordPerson.snapshot(received.message.account, in: transaction)
        }
        handlers.on(ProviderVerified.self, sharesTransaction: false) { received, transaction in
            try await RecordPerson.snapshot(received.message.account, in: transaction)
            RecordAdminAct.verified(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(ProviderRejected.self, sharesTransaction: false) { received, transaction in
            try await RecordPerson.snapshot(received.message.account, in: transaction)
            try RecordAdminAct.rejected(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(AccountDeleted.self, sharesTransaction: false) { received, transaction in
            try await ForgetAccount.deleted(received.message, in: transaction)
            RecordAdminAct.deleted(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(RatingGiven.self) { received, transaction in
            RecordRating.given(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(AccountsTold.self, sharesTransaction: false) { received, transaction in
            try await StoreRepublishedAccounts.told(received.message, in: transaction)
        }
    }
}
