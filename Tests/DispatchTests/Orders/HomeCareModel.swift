import Foundation

@testable import SeraiDispatch

/// What a visit of a care partner should do, written a second time and in another way than the workflow's table.
struct HomeCareModel: WorkflowModel {
    /// On whose table it lies.
    enum Table: Equatable {
        case wallet, desk, partnersAnswer, partnersCalendar, atHome, court
        case closed(OrderState)
    }

    let time: Date
    var table = Table.wallet
    var scheduledAt: Date
    var partner: UUID?
    var wish: Date?
    var isReported = false
    var changes = 1
    var payment = 0
    var deadline: Date?

    init(time: Date, at now: Date) {
        self.time = time
        scheduledAt = time
        deadline = now + 600
    }

    var state: OrderState {
        switch table {
        case .wallet: .pending
        case .desk: .requested
        case .partnersAnswer: .offered
        case .partnersCalendar: .accepted
        case .atHome: .inProgress
        case .court: .disputed
        case .closed(let state): state
        }
    }

    static func mayEver(_ trigger: OrderTrigger, _ actor: OrderActor) -> Bool { actors(trigger).contains(actor) }

    /// Who can ever do it.
    private static func actors(_ trigger: OrderTrigger) -> Set<OrderActor> {
        switch trigger {
        case .accept, .start, .complete, .giveUp, .askForTime: [.provider]
        case .assign, .unassign, .reschedule, .decide: [.admin]
        case .decline: [.provider, .admin]
        case .cancel: [.customer, .admin]
        case .missCustomer: [.provider]
        case .missProvider: [.customer]
        case .report: [.customer, .provider]
        case .paymentHeld, .paymentCaptured, .paymentReleased, .depositEnded, .customerBanned, .providerBanned:
            [.system]
        case .windowOver(let window):
            [.payment, .desk, .assignment, .arrival, .completion, .decision].contains(window) ? [.system] : []
        default: []
        }
    }

    mutating func happen(_ trigger: OrderTrigger, by actor: OrderActor, at now: Date) -> WorkflowAnswer {
        if let news = trigger.payment, news.version <= payment { return .outdated }
        guard Self.mayEver(trigger, actor) else { return .wrongActor }
        var next = self
        guard next.move(trigger, actor, now) else { return .wrongState }
        switch trigger {
        case .accept, .paymentHeld, .complete, .assign:
            if let deadline, deadline <= now { return .tooLate }
        case .start where now < scheduledAt - 900: return .tooEarly
        case .missCustomer where now < scheduledAt + 900, .missProvider where now < scheduledAt + 900: return .tooEarly
        default: break
        }
        self = next
        if let news = trigger.payment { payment = news.version }
        changes += 1
        return .done
    }

    private mutating func move(_ trigger: OrderTrigger, _ actor: OrderActor, _ now: Date) -> Bool {
        switch (table, trigger) {
        case (.wallet, .paymentHeld): toDesk()
        case (.wallet, .windowOver(.payment)), (.desk, .windowOver(.desk)): close(.expired)
        case (.wallet, .cancel), (.desk, .cancel), (.partnersAnswer, .cancel), (.partnersCalendar, .cancel):
            close(.cancelled)
        case (.wallet, .paymentReleased), (.desk, .paymentReleased), (.partnersAnswer, .paymentReleased),
            (.partnersCalendar, .paymentReleased), (.atHome, .paymentReleased),
            (.partnersCalendar, .windowOver(.arrival)):
            close(.cancelled)
        case (.desk, .decline) where actor == .admin: close(.refused)
        case (.desk, .assign(let party)):
            (table, partner, deadline) = (.partnersAnswer, party.account, min(now + 3_600, scheduledAt))
        case (.desk, .reschedule(let day)):
            set(day)
            toDesk()
        case (.partnersAnswer, .reschedule(let day)):
            set(day)
            deadline = min(now + 3_600, day)
        case (.partnersCalendar, .reschedule(let day)):
            set(day)
            deadline = max(now, day) + 7_200
        case (.partnersAnswer, .askForTime(let day)), (.partnersCalendar, .askForTime(let day)): wish = day
        case (.partnersAnswer, .accept): (table, deadline) = (.partnersCalendar, max(now, scheduledAt) + 7_200)
        case (.partnersAnswer, .decline) where actor == .provider: toDesk()
        case (.partnersAnswer, .unassign), (.partnersCalendar, .unassign), (.partnersCalendar, .giveUp),
            (.partnersAnswer, .windowOver(.assignment)):
            toDesk()
        case (.wallet, .customerBanned), (.desk, .customerBanned), (.partnersAnswer, .customerBanned),
            (.partnersCalendar, .customerBanned):
            close(.cancelled)
        case (.partnersCalendar, .missCustomer), (.partnersCalendar, .missProvider): close(.cancelled)
        case (.partnersAnswer, .providerBanned), (.partnersCalendar, .providerBanned): toDesk()
        case (.atHome, .customerBanned), (.atHome, .providerBanned):
            (table, deadline, isReported) = (.court, now + 259_200, true)
        case (.partnersCalendar, .decline) where actor == .provider: close(.refused)
        case (.partnersCalendar, .start): (table, deadline) = (.atHome, now + 43_200)
        case (.atHome, .complete): close(.completed)
        case (.partnersCalendar, .report), (.atHome, .report), (.atHome, .windowOver(.completion)):
            (table, deadline, isReported) = (.court, now + 259_200, true)
        case (.court, .decide(let verdict)): close(verdict.decision == .returnToCustomer ? .cancelled : .completed)
        case (.court, .windowOver(.decision)): deadline = now + 259_200
        case (.court, .paymentCaptured), (.court, .paymentReleased): break
        case (.closed(.completed), .paymentCaptured), (.closed, .paymentReleased): break
        default: return false
        }
        return true
    }

    private mutating func toDesk() {
        (table, partner, wish) = (.desk, nil, nil)
        deadline = scheduledAt
    }

    private mutating func set(_ day: Date) { (scheduledAt, wish) = (day, nil) }

    private mutating func close(_ state: OrderState) { (table, deadline) = (.closed(state), nil) }

    func agrees(with order: Order, _ effects: SeenEffects) -> Bool {
        order.state == state && order.version == changes && order.deadline == deadline
            && order.provider?.account == partner && order.scheduledAt == scheduledAt && order.proposedAt == wish
            && (order.report != nil) == isReported && order.payment.version == payment
    }
}
