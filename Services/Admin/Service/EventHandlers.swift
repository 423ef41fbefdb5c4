import Contracts
import Foundation
import Messaging
import Postgres

/// What admin hears. Events of orders and their payments share transactions: ``OrderWriter`` writes what a batch of
/// them tells, and takes its orders in one order. What an event of a person writes is not so tame, so each has its own.
///
/// Every handler stands repeats and any order: snapshots replace older ones only, what a single event tells is set once,
/// and entries of the timeline and of the audit log are known by their message's id.
enum EventHandlers {
    static var all: MessageHandlers {
        var handlers = MessageHandlers()
        addPeople(to: &handlers)
        addOrders(to: &handlers)
        addPayments(to: &handlers)
        addWallet(to: &handlers)
        addReads(to: &handlers)
        addTold(to: &handlers)
        return handlers
    }

    /// Rows that their owners tell again are no events: the timeline and the audit log hear nothing of them.
    private static func addTold(to handlers: inout MessageHandlers) {
        handlers.on(AccountsTold.self, sharesTransaction: false) { received, transaction in
            try await StoreRepublishedAccounts.told(received.message, in: transaction)
        }
        handlers.on(OrdersTold.self, sharesTransaction: false) { received, transaction in
            try await StoreRepublishedOrders.told(received.message, in: transaction)
        }
        handlers.on(PaymentsTold.self, sharesTransaction: false) { received, transaction in
            StoreRepublishedPayments.told(received.message, in: transaction)
        }
    }

    private static func addPeople(to handlers: inout MessageHandlers) {
        handlers.on(AccountRegistered.self, sharesTransaction: false) { received, transaction in
            try await RecordPerson.registered(received.message, in: transaction)
        }
        handlers.on(AccountChanged.self, sharesTransaction: false) { received, transaction in
            try await RecordPerson.snapshot(received.message.account, in: transaction)
        }
        handlers.on(ProviderVerified.self, sharesTransaction: false) { received, transaction in
            try await RecordPerson.snapshot(received.message.account, in: transaction)
            try RecordAdminAct.verified(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(ProviderRejected.self, sharesTransaction: false) { received, transaction in
            try await RecordPerson.snapshot(received.message.account, in: transaction)
            try RecordAdminAct.rejected(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(AccountBanned.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.banned(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(AccountUnbanned.self, sharesTransaction: false) { received, transaction in
            RecordAdminAct.unbanned(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(AdminChanged.self, sharesTransaction: false) { received, transaction in
            RecordAdminAct.adminChanged(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(AccountDeleted.self, sharesTransaction: false) { received, transaction in
            try await ForgetAccount.deleted(received.message, in: transaction)
            RecordAdminAct.deleted(received.message, message: received.envelope.id, in: transaction)
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

    /// Reads of many people's data by admins in other services, for the audit log.
    private static func addReads(to handlers: inout MessageHandlers) {
        func on<Event: ListViewed>(_ type: Event.Type) {
            handlers.on(type, sharesTransaction: false) { received, transaction in
                try RecordAdminAct.viewed(received.message, message: received.envelope.id, in: transaction)
            }
        }
        on(IdentityListViewed.self)
        on(DispatchListViewed.self)
        on(WalletListViewed.self)
    }

    private static func addWallet(to handlers: inout MessageHandlers) {
        handlers.on(CashOutDecided.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.decided(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(WalletUnfrozen.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.unfrozen(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(ApprovalChanged.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.changed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(WalletManaged.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.managed(received.message, message: received.envelope.id, in: transaction)
        }
    }

    private static func addOrders(to handlers: inout MessageHandlers) {
        handlers.on(RackManaged.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.managed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(OrderManaged.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.managed(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(TrailViewed.self, sharesTransaction: false) { received, transaction in
            RecordAdminAct.viewed(received.message, message: received.envelope.id, in: transaction)
        }
        on(OrderPending.self, &handlers)
        on(OrderRequested.self, &handlers)
        on(OrderAccepted.self, &handlers)
        on(OrderOffered.self, &handlers)
        on(OrderPassed.self, &handlers)
        on(OrderPreparing.self, &handlers)
        on(OrderReady.self, &handlers)
        on(OrderReopened.self, &handlers)
        on(OrderDeposited.self, &handlers)
        on(OrderStarted.self, &handlers)
        on(OrderTimeAsked.self, &handlers)
        on(OrderRescheduled.self, &handlers)
        on(OrderRefused.self, &handlers)
        on(OrderEnRoute.self, &handlers)
        on(OrderNearby.self, &handlers)
        on(OrderArrived.self, &handlers)
        on(OrderConfirmed.self, &handlers)
        on(OrderCompleted.self, &handlers)
        on(OrderCancelled.self, &handlers)
        on(OrderExpired.self, &handlers)
        on(OrderDisputed.self, &handlers)
        on(OrderPaymentChanged.self, &handlers)
        handlers.on(OrderUndecided.self) { received, transaction in
            RecordOrder.event(received.message, message: received.envelope.id, in: transaction)
            RecordReport.undecided(received.message, in: transaction)
        }
        handlers.on(ReportOpened.self) { received, transaction in
            RecordReport.opened(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(RatingGiven.self) { received, transaction in
            RecordRating.given(received.message, message: received.envelope.id, in: transaction)
        }
    }

    private static func on<Event: OrderEvent>(_ type: Event.Type, _ handlers: inout MessageHandlers) {
        handlers.on(type) { received, transaction in
            RecordOrder.event(received.message, message: received.envelope.id, in: transaction)
        }
    }

    private static func addPayments(to handlers: inout MessageHandlers) {
        handlers.on(PaymentHeld.self) { received, transaction in
            RecordPayment.held(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(PaymentRefused.self) { received, transaction in
            RecordPayment.refused(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(PaymentCaptured.self) { received, transaction in
            RecordPayment.captured(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(PaymentReleased.self) { received, transaction in
            RecordPayment.released(received.message, message: received.envelope.id, in: transaction)
        }
        handlers.on(PaymentRefunded.self, sharesTransaction: false) { received, transaction in
            try RecordAdminAct.refunded(received.message, message: received.envelope.id, in: transaction)
        }
    }
}
