import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

extension Feature {
    /// The audit log itself is no recorded read: it would grow by being read. A file of it is one.
    static func audit(_ routes: AdminRoutes) -> Feature {
        Feature(
            "audit",
            routes: {
                $0.signedIn.get("audit", use: routes.audit)
                $0.signedIn.get("audit.csv", use: routes.auditCSV)
            },
            handlers: AuditHandlers.register
        )
    }
}

/// Records acts of admins in other services. An entry has its message's id, so a repeat changes nothing.
enum AuditHandlers {
    static func register(in handlers: inout MessageHandlers) {
        people(&handlers)
        wallet(&handlers)
        orders(&handlers)
        lists(&handlers)
        deadMessages(&handlers)
    }

    private static func people(_ handlers: inout MessageHandlers) {
        handlers.on(AccountBanned.self, sharesTransaction: false) { received, transaction in
            transaction.send(StoreBan(received.message))
            try RecordAdminAct.banned(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(AccountUnbanned.self, sharesTransaction: false) { received, transaction in
            transaction.send(StoreBan(received.message))
            RecordAdminAct.unbanned(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(AdminChanged.self, sharesTransaction: false) { received, transaction in
            RecordAdminAct.adminChanged(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(AccountManaged.self, sharesTransaction: false) { received, transaction in
            RecordAdminAct.managed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(LinkConfirmed.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.linked(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(LinkRemoved.self, sharesTransaction: false) { received, transaction in
            RecordAdminAct.unlinked(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(DocumentViewed.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.viewed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(DocumentDecided.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.decided(received.message, message: received.envelope.id, in: transaction)
        }
    }

    private static func wallet(_ handlers: inout MessageHandlers) {
        handlers.on(CashOutDecided.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.decided(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(WalletUnfrozen.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.unfrozen(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(ApprovalChanged.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.changed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(ApprovalEnded.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.ended(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(WriteOffChanged.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.changed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(WalletManaged.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.managed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(PaymentRefunded.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.refunded(received.message, message: received.envelope.id, in: transaction)
        }
    }

    private static func orders(_ handlers: inout MessageHandlers) {
        handlers.on(RackManaged.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.managed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(BikeManaged.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.managed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(RestaurantManaged.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.managed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(OrderManaged.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.managed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(SeriesManaged.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.managed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(TrailViewed.self, sharesTransaction: false) { received, transaction in
            RecordAdminAct.viewed(received.message, message: received.envelope.id, in: transaction)
        }
    }

    /// Reads of many people's data by admins in other services.
    private static func lists(_ handlers: inout MessageHandlers) {
        func on<Event: ListViewed>(_ type: Event.Type) {
            handlers.on(type, sharesTransaction: false) { received, transaction in
                try RecordAdminAct.viewed(received.message, message: received.envelope.id, in: transaction)
            }
        }
        on(IdentityListViewed.self)
        on(DispatchListViewed.self)
        on(WalletListViewed.self)
        on(NotificationsListViewed.self)
        handlers.on(NoticeManaged.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.managed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(AdminItemManaged.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.managed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(TalkManaged.self, sharesTransaction: false) { received, transaction in
            RecordAdminAct.managed(received.message, message: received.envelope.id, in: transaction)
        }
    }

    /// Records the acts of master admins upon dead messages of the other services.
    private static func deadMessages(_ handlers: inout MessageHandlers) {
        func on<Event: DeadMessageManaged>(_ type: Event.Type) {
            handlers.on(type, sharesTransaction: false) { received, transaction in
                try RecordAdminAct.managed(received.message, message: received.envelope.id, in: transaction)
            }
        }
        on(IdentityDeadMessageManaged.self)
        on(DispatchDeadMessageManaged.self)
        on(WalletDeadMessageManaged.self)
        on(NotificationsDeadMessageManaged.self)
    }
}
