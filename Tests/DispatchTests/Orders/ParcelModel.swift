import Foundation
import SeraiJSON
import TestKit

@testable import SeraiDispatch

/// A parcel for tests of the domain, with and without a deposit.
enum SampleParcel {
    static let start = SampleOrder.start
    static let news = OrderTrigger.PaymentNews(method: "wallet", version: 2)

    static func opened(deposit: Int?) -> Order {
        let ids = SequentialIDs(first: 40)
        let request = Order.Request(
            id: ids.next(), market: "carrepsa", customer: Order.Party(account: ids.next(), name: "Olof"), provider: nil,
            lines: [Order.Line(service: "parcel", names: ["en": "A lamp"], price: 5_000)], total: 5_000,
            currency: "SEK", place: Order.Place(latitude: 57.7, longitude: 11.97, description: nil),
            destination: Order.Place(latitude: 57.71, longitude: 12.0, description: nil), deposit: deposit,
            particulars: .parcel(
                Order.Parcel(
                    name: "A lamp", description: nil, grams: 900, isFragile: true, photo: nil, metres: 2_000)))
        return Order.opened(request, at: start, windows: SampleOrder.windows, in: .parcel).order
    }

    static func after(deposit: Int? = nil, _ steps: [(OrderTrigger, OrderActor)]) throws -> Order {
        var order = opened(deposit: deposit)
        for (trigger, actor) in steps {
            order = try order.applying(trigger, by: actor, at: start, windows: SampleOrder.windows, in: .parcel).order
        }
        return order
    }

    static let take: (OrderTrigger, OrderActor) = (.take(SampleOrder.other), .provider)

    /// The way to everything that a parcel can be in; with a deposit there is a wait more.
    static func standing(_ name: String) throws -> Order {
        let paid: [(OrderTrigger, OrderActor)] = [(.paymentHeld(news), .system)]
        let taken = paid + [take]
        let travelling = taken + [(.start, .customer)]
        let locked: [(OrderTrigger, OrderActor)] = taken + [(.depositLocked(orderVersion: 3), .system)]
        return switch name {
        case "pending": try after([])
        case "requested": try after(paid)
        case "requested with deposit": try after(deposit: 9_000, paid)
        case "awaited": try after(deposit: 9_000, taken)
        case "locked": try after(deposit: 9_000, taken + [(.depositLocked(orderVersion: 3), .system)])
        case "accepted": try after(taken)
        case "said": try after(deposit: 9_000, locked + [(.start, .provider)])
        case "given up": try after(deposit: 9_000, locked + [(.giveUp(reason: nil), .provider)])
        case "silent": try after(deposit: 9_000, locked + [(.windowOver(.arrival), .system)])
        case "travelling": try after(travelling)
        case "half": try after(travelling + [(.complete, .provider)])
        case "completed": try after(travelling + [(.complete, .customer)])
        case "cancelled": try after([(.cancel(reason: nil), .customer)])
        case "expired": try after([(.windowOver(.payment), .system)])
        default:
            try after(
                deposit: 9_000,
                taken + [
                    (.depositLocked(orderVersion: 3), .system), (.start, .customer),
                    (.report(SampleOrder.report, reason: "damaged"), .customer),
                ])
        }
    }
}

/// What a parcel should do, written a second time and in another way than the workflow's table.
struct ParcelModel: WorkflowModel {
    /// Where the thing is, and who knows.
    enum Where: Equatable {
        case unpaid, board, deciding, reserved, inQuestion, travelling, atCourt
        case over(OrderState)
    }

    let hasDeposit: Bool
    var at = Where.unpaid
    var saysDelivered = false
    var carrier: UUID?
    var acceptance: Int?
    var isReported = false
    var changes = 1
    var payment = 0
    var arrived: Date?
    var changed = SampleParcel.start
    var deadline: Date?
    /// When it would have left the board by itself.
    var boardEnd: Date?

    init(hasDeposit: Bool) {
        self.hasDeposit = hasDeposit
        deadline = SampleParcel.start.addingTimeInterval(600)
    }

    var state: OrderState {
        switch at {
        case .unpaid: .pending
        case .board: .requested
        case .deciding, .reserved: .accepted
        case .inQuestion: .arrived
        case .travelling: .inProgress
        case .atCourt: .disputed
        case .over(let state): state
        }
    }

    static func mayEver(_ trigger: OrderTrigger, _ actor: OrderActor) -> Bool {
        switch trigger {
        case .take: actor == .provider
        case .giveUp: actor == .provider || actor == .customer
        case .start: actor == .customer || actor == .provider
        case .missProvider: actor == .customer
        case .cancel: actor == .customer || actor == .admin
        case .complete, .report: actor == .customer || actor == .provider
        case .decide: actor == .admin
        case .paymentHeld, .paymentCaptured, .paymentReleased, .depositLocked, .depositRefused, .depositEnded,
            .customerBanned, .providerBanned:
            actor == .system
        case .windowOver(let window):
            actor == .system
                && [.payment, .search, .deposit, .arrival, .completion, .confirmation, .decision].contains(window)
        default: false
        }
    }

    mutating func happen(_ trigger: OrderTrigger, by actor: OrderActor, at now: Date) -> WorkflowAnswer {
        if let news = trigger.payment, news.version <= payment { return .outdated }
        guard Self.mayEver(trigger, actor) else { return .wrongActor }
        var next = self
        guard next.move(trigger, actor, now) else { return .wrongState }
        switch trigger {
        case .depositLocked(let version), .depositRefused(let version):
            if version != acceptance { return .outdated }
        default: break
        }
        switch trigger {
        case .take, .paymentHeld, .complete, .depositLocked:
            if let deadline, deadline <= now { return .tooLate }
        case .missProvider:
            if now < (arrived ?? changed).addingTimeInterval(900) { return .tooEarly }
        default: break
        }
        self = next
        if let news = trigger.payment { payment = news.version }
        changes += 1
        changed = now
        if case .start = trigger { arrived = now }
        if carrier == nil { arrived = nil }
        if case .take = trigger, hasDeposit { acceptance = changes }
        return .done
    }

    private mutating func move(_ trigger: OrderTrigger, _ actor: OrderActor, _ now: Date) -> Bool {
        func after(_ seconds: Double) -> Date { now.addingTimeInterval(seconds) }
        switch (at, trigger) {
        case (.unpaid, .paymentHeld): (at, deadline) = (.board, after(604_800))
        case (.unpaid, .cancel), (.board, .cancel): end(.cancelled)
        case (.unpaid, .windowOver(.payment)), (.board, .windowOver(.search)): end(.expired)
        case (.unpaid, .paymentReleased), (.board, .paymentReleased), (.deciding, .paymentReleased):
            end(.cancelled)
        case (.board, .take(let party)):
            carrier = party.account
            boardEnd = deadline
            (at, deadline) = hasDeposit ? (.deciding, after(60)) : (.reserved, after(7_200))
        case (.deciding, .depositLocked): (at, deadline) = (.reserved, after(7_200))
        case (.deciding, .depositRefused), (.deciding, .windowOver(.deposit)):
            (at, deadline, carrier, acceptance) = (.board, boardEnd, nil, nil)
        case (.reserved, .windowOver(.arrival)): (at, deadline) = (.inQuestion, after(86_400))
        case (.reserved, .start) where actor == .provider: (at, deadline) = (.inQuestion, after(86_400))
        case (.reserved, .giveUp) where actor == .customer, (.inQuestion, .giveUp) where actor == .provider:
            return false
        case (.reserved, .giveUp) where hasDeposit: (at, deadline) = (.inQuestion, after(86_400))
        case (.inQuestion, .start) where actor == .customer: (at, deadline) = (.travelling, after(43_200))
        case (.inQuestion, .report), (.inQuestion, .paymentReleased), (.inQuestion, .customerBanned),
            (.inQuestion, .providerBanned), (.inQuestion, .windowOver(.confirmation)):
            (at, deadline, isReported) = (.atCourt, after(259_200), true)
        case (.reserved, .giveUp), (.reserved, .missProvider), (.inQuestion, .missProvider), (.inQuestion, .giveUp):
            (at, deadline, carrier, acceptance) = (.board, after(604_800), nil, nil)
        case (.reserved, .start): (at, deadline) = (.travelling, after(43_200))
        case (.reserved, .report), (.travelling, .report), (.travelling, .paymentReleased):
            (at, deadline, isReported) = (.atCourt, after(259_200), true)
        case (.travelling, .customerBanned), (.travelling, .providerBanned), (.reserved, .customerBanned),
            (.reserved, .providerBanned), (.reserved, .paymentReleased):
            (at, deadline, isReported) = (.atCourt, after(259_200), true)
        case (.unpaid, .customerBanned), (.board, .customerBanned), (.deciding, .customerBanned):
            end(.cancelled)
        case (.deciding, .providerBanned):
            (at, deadline, carrier, acceptance) = (.board, after(604_800), nil, nil)
        case (.travelling, .windowOver(.completion)) where !saysDelivered:
            (at, deadline, isReported) = (.atCourt, after(259_200), true)
        case (.travelling, .complete) where actor == .customer: end(.completed)
        case (.travelling, .complete) where !saysDelivered: (saysDelivered, deadline) = (true, after(86_400))
        case (.travelling, .windowOver(.confirmation)) where saysDelivered: end(.completed)
        case (.atCourt, .decide(let verdict)): end(verdict.decision == .returnToCustomer ? .cancelled : .completed)
        case (.atCourt, .windowOver(.decision)): deadline = after(259_200)
        case (.atCourt, .paymentCaptured), (.atCourt, .paymentReleased): break
        case (.over(.completed), .paymentCaptured), (.over, .paymentReleased): break
        case (.atCourt, .depositEnded), (.over(.completed), .depositEnded), (.over(.cancelled), .depositEnded):
            return hasDeposit
        default: return false
        }
        return true
    }

    private mutating func end(_ state: OrderState) { (at, deadline) = (.over(state), nil) }

    func agrees(with order: Order, _ effects: SeenEffects) -> Bool {
        order.state == state && order.version == changes && order.deadline == deadline
            && order.provider?.account == carrier && (order.report != nil) == isReported
            && order.payment.version == payment && order.deposit?.orderVersion == acceptance
    }
}
