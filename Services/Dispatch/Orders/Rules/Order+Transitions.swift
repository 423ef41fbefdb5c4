import Foundation

/// Reason why a trigger is not allowed. The order is unchanged.
enum OrderRefusal: Error, Equatable, Sendable {
    /// The order's state does not allow it.
    case wrongState(OrderState)
    /// The window for this trigger in this state is over; its deadline may not have fired yet.
    case tooLate(OrderState)
    /// The other party has to be waited for until this moment, or the work may not begin before it.
    case tooEarly(until: Date)
    /// The workflow never allows this trigger to this actor.
    case wrongActor
    /// The provider holds another order.
    case providerBusy(OrderState)
    /// Not newer than the version that is known.
    case outdated
}

/// An order after a transition, and the effects that follow.
struct OrderChange: Sendable, Equatable {
    let order: Order
    let effects: [OrderEffect]
    /// Nil for a new order.
    let trigger: OrderTrigger?
    /// Provider before the transition, if the transition removed that provider.
    var former: Order.Party?
}

extension Order {
    /// The data of a new order.
    struct Request: Sendable {
        var id: UUID
        var market: String
        var customer: Party
        var provider: Party?
        var lines: [Line]
        var total: Int
        var currency: String
        var place: Place
        var destination: Place?
        var scheduledAt: Date?
        /// Minor units; nil or zero means no deposit.
        var deposit: Int?
        var shares: [Share]?
        var particulars: Particulars?
        var by = OrderActor.customer
    }

    static func opened(
        _ request: Request, at now: Date, windows: OrderWindows, in workflow: Workflow
    ) -> OrderChange {
        var order = Order(
            id: request.id, market: request.market, kind: workflow.kind, customer: request.customer,
            lines: request.lines, total: request.total, currency: request.currency, place: request.place,
            destination: request.destination, particulars: request.particulars, requestedAt: now,
            provider: request.provider, scheduledAt: request.scheduledAt, shares: request.shares, version: 1,
            state: workflow.first, payment: .none, confirmedBy: [], deadline: nil, by: request.by, reason: nil,
            companion: nil, isNear: false, changedAt: now, arrivedAt: nil, report: nil, ending: nil)
        if let deposit = request.deposit, deposit > 0 { order.deposit = Deposit(amount: deposit) }
        order.take(workflow.opening, at: now, windows)
        return OrderChange(order: order, effects: workflow.opening, trigger: nil)
    }

    /// Whether the window for this trigger is over, even if its deadline has not fired yet: deadlines fire late after
    /// an outage.
    func isTooLate(for trigger: OrderTrigger, at now: Date) -> Bool {
        guard trigger.kind.isBoundByWindow, let deadline else { return false }
        return now >= deadline
    }

    /// Applies a trigger by the workflow's table and returns the changed order with its effects.
    func applying(
        _ trigger: OrderTrigger, by actor: OrderActor, at now: Date, windows: OrderWindows, in workflow: Workflow
    ) throws(OrderRefusal) -> OrderChange {
        if let news = trigger.payment, news.version <= payment.version { throw .outdated }
        let rows = workflow.rows(on: trigger.kind, by: actor)
        guard !rows.isEmpty else { throw .wrongActor }
        guard let row = rows.first(where: { $0.from == state && holds($0.condition, for: actor) }) else {
            throw .wrongState(state)
        }
        if let acceptance = trigger.acceptance, acceptance != deposit?.orderVersion { throw .outdated }
        if isTooLate(for: trigger, at: now) { throw .tooLate(state) }
        if trigger.kind == .start, let scheduledAt {
            let until = scheduledAt.addingTimeInterval(-Double(windows.startEarlySeconds))
            if now < until { throw .tooEarly(until: until) }
        }
        if trigger.kind == .missCustomer || trigger.kind == .missProvider {
            let begin = nearAt ?? arrivedAt ?? scheduledAt ?? changedAt
            let until = begin.addingTimeInterval(Double(windows.noShowWaitSeconds))
            if now < until { throw .tooEarly(until: until) }
        }
        var order = self
        order.version += 1
        order.state = row.to
        order.by = actor
        // A nearby notice or a request for another time does not restart any wait, however often it comes: waits are
        // measured from `changedAt`.
        if trigger.kind != .comeNear && trigger.kind != .askForTime { order.changedAt = now }
        if row.to.isFinal, !state.isFinal { order.ending = Ending(by: actor, at: now) }
        order.take(trigger, by: actor, at: now)
        if row.effects.contains(.fines) { order.ending?.fine = trigger.fine }
        order.take(row.effects, at: now, windows)
        // A decision about a report says itself what is paid.
        if row.to == .completed, row.from == .inProgress { order.payForDelivery(self) }
        if let reason = trigger.payment?.neverHeld { order.reason = reason }
        return OrderChange(
            order: order, effects: row.effects, trigger: trigger,
            former: order.provider == nil ? provider : nil)
    }

    private func holds(_ condition: Workflow.Condition, for actor: OrderActor) -> Bool {
        switch condition {
        case .always: true
        case .nobodyHasConfirmed: confirmedBy.isEmpty
        case .somebodyHasConfirmed: !confirmedBy.isEmpty
        case .otherHasConfirmed: !confirmedBy.isEmpty && !confirmedBy.contains(actor)
        case .notYetNear: !isNear
        case .nearAndUnconfirmed: isNear && confirmedBy.isEmpty
        case .withDeposit: deposit != nil
        case .withoutDeposit: deposit == nil
        case .depositAwaited: deposit?.state == .awaited
        case .depositSettled: deposit == nil || deposit?.state == .locked
        case .notYetReady: food.map { !$0.isReady } ?? false
        }
    }

    /// Stores what the trigger itself carries.
    private mutating func take(_ trigger: OrderTrigger, by actor: OrderActor, at now: Date) {
        switch trigger {
        case .accept(_, let minutes) where actor == .merchant: promise(in: minutes, from: changedAt)
        case .accept(let companion, _): self.companion = companion
        case .ready: becomeReady(at: changedAt)
        case .decline(let reason), .cancel(let reason, _): self.reason = reason
        case .report(let report, let reason):
            self.reason = reason
            // A report that cancels the order at once (nothing was paid) needs no decision.
            if !state.isFinal { self.report = report }
        case .decide(let verdict): ending?.verdict = verdict
        case .arrive, .start: arrivedAt = changedAt
        case .complete: confirmedBy.append(actor)
        case .comeNear: comeNear(at: now)
        case .paymentHeld(let news):
            // Cash is promised, not yet paid.
            payment = Payment(
                method: news.method, state: news.method == "cash" ? .unpaid : .held, version: news.version)
        case .paymentCaptured(let news): payment = Payment(method: news.method, state: .captured, version: news.version)
        // Nothing was ever held, so the payment stays as it is.
        case .paymentReleased(let news) where news.neverHeld != nil: break
        case .paymentReleased(let news): payment = Payment(method: news.method, state: .released, version: news.version)
        case .take(let party), .assign(let party), .offer(let party): provider = party
        case .giveUp(let reason), .unassign(let reason): self.reason = reason
        case .askForTime(let time): proposedAt = time
        case .reschedule(let time): (scheduledAt, proposedAt) = (time, nil)
        case .bringBack(let cost): total = min(total, max(0, cost))
        case .endEarly(let cost):
            // The rider may ask at any moment and still be driven on, so the price stays open until the driver or the
            // window settles it.
            if actor == .provider { total = min(total, max(0, cost)) } else { askToEnd(at: now) }
            confirmedBy.append(actor)
        case .completeElsewhere(let cost, let metres):
            total = min(total, max(0, cost))
            recordDriven(metres)
            confirmedBy.append(actor)
        case .confirmEarlyEnd(let cost, let isWindow):
            total = min(total, max(0, cost))
            if !isWindow { confirmedBy.append(actor) }
        case .depositLocked: deposit?.state = .locked
        case .depositEnded(let toCustomer): deposit?.state = toCustomer ? .forfeited : .returned
        case .missCustomer, .missProvider, .windowOver, .depositRefused, .customerBanned, .providerBanned,
            .merchantBanned:
            break
        }
    }

    private mutating func take(_ effects: [OrderEffect], at now: Date, _ windows: OrderWindows) {
        for effect in effects {
            switch effect {
            case .ends(let window):
                if window == .search { searchEnd = deadline }
                deadline = nil
            case .resumes(let window): deadline = searchEnd ?? windows.end(of: window, from: now)
            case .waits(let window):
                // A meal in preparation is searched for until the search window after it is ready.
                let start = window == .search ? max(now, food?.readyAt ?? now) : now
                deadline = windows.end(
                    of: window, from: start, scheduled: scheduledAt,
                    isByPhone: homeCare?.orderedBy != nil || parcel?.recurring != nil,
                    isUnattended: homeCare?.series != nil)
            case .because(let reason): self.reason = reason
            case .takesProvider:
                reason = nil
                if let amount = deposit?.amount {
                    deposit = Deposit(amount: amount, state: .awaited, orderVersion: version)
                }
            case .losesProvider:
                (provider, companion, proposedAt, arrivedAt, isNear) = (nil, nil, nil, nil, false)
                stopSharing()
                if let amount = deposit?.amount { deposit = Deposit(amount: amount) }
            // An order has at most one system report, since its decision ends the order; therefore the report gets the
            // order's id.
            case .reports(let reason, _): (report, self.reason) = (id, reason)
            case .posts, .unposts, .searches, .offers, .continuesSearch, .endsSearch, .startsSearchNow, .releasesBike:
                break
            case .claimsProvider, .freesProvider, .handsOver, .fines, .tells: break
            }
        }
    }
}
