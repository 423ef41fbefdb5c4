import Contracts
import Foundation
import Messaging
import Postgres

extension PostgresTransaction {
    /// Sends the writes of a change and of its effects with the commit. The caller has already claimed the provider.
    ///
    /// - Parameter settings: the current settings of the market.
    func store(_ change: OrderChange, _ settings: MarketSettings) throws {
        let order = change.order
        if change.trigger == nil {
            send(try InsertOrder(order))
        } else {
            send(UpdateOrder(order: order))
        }
        keepPeople(change)
        if order.scheduledAt != nil { setReminder(of: order, settings, after: order.changedAt) }
        for effect in change.effects {
            switch effect {
            case .waits(let window), .resumes(let window):
                guard let end = order.deadline else { continue }
                set(Deadline(kind: window.deadlineKind, subject: order.id.text, dueAt: end))
                if window == .desk, let due = WarnOfDesk.due(order, settings) {
                    set(Deadline(kind: WarnOfDesk.deadlineKind, subject: order.id.text, dueAt: due))
                }
            case .ends(let window):
                clearDeadline(kind: window.deadlineKind, subject: order.id.text)
                if window == .desk { clearDeadline(kind: WarnOfDesk.deadlineKind, subject: order.id.text) }
            case .freesProvider:
                guard let provider = change.former ?? order.provider else { continue }
                let wasAsked = change.effects.contains(.continuesSearch) || change.effects.contains(.endsSearch)
                free(provider.account, of: order, hadWork: !wasAsked)
            case .posts:
                guard let parcel = order.parcel else { continue }
                send(PostOnBoard(order: order, parcel: parcel))
            case .unposts: send(TakeOffBoard(order: order.id))
            case .searches, .offers, .continuesSearch, .endsSearch, .startsSearchNow: try search(effect, change)
            case .releasesBike: send(ReleaseBike(order: order.id))
            // The former driver's code must not open a rack any more.
            case .losesProvider where order.bike != nil: send(DropUnlockCode(order: order.id))
            // Records the former partner, so that a late answer gets the order's state. An admin may still send the
            // order to the same partner again.
            case .losesProvider where order.homeCare != nil:
                guard let former = change.former else { continue }
                let outcome = change.trigger?.kind.rawValue ?? ""
                send(ExcludeProvider(order: order.id, provider: former.account, outcome: outcome, at: order.changedAt))
            case .losesProvider where order.parcel != nil:
                send(EndSharing(order: order.id))
                send(try UpdateParticulars(order))
            case .reports(let reason, let author): try report(reason, for: author, in: order)
            case .tells(let news):
                if news == .completed { sell(order, settings) }
                if news == .completed || news == .confirmed || news == .disputed, order.parcel?.isFollowed == true {
                    send(EndSharing(order: order.id))
                }
                if news == .completed, order.parcel?.delivery != nil { send(try UpdateParticulars(order)) }
                if news == .nearby, order.nearAt != nil { send(try UpdateParticulars(order)) }
                if news == .confirmed, order.ride?.isEndedElsewhere == true { send(try UpdateParticulars(order)) }
                // From the start on, the odometer measures the price of the ride instead of the driver's way to the
                // rider.
                if news == .started, order.ride != nil { send(DeleteOdometer(order: order.id)) }
                try tell(news, of: change)
            case .claimsProvider:
                guard let provider = order.provider, let food = order.food else { continue }
                send(JoinTrip(order: order.id, provider: provider.account, restaurant: food.restaurant))
            case .handsOver:
                guard let provider = order.provider else { continue }
                send(LockProvider(account: provider.account))
                send(HandOverTrip(order: order.id))
            case .takesProvider, .losesProvider, .fines, .because: break
            }
        }
    }

    /// Keeps with an order, from its acceptance on, who comes along and the driver's car: for those who look for it and for
    /// what is said of the trip later.
    private func keepPeople(_ change: OrderChange) {
        let order = change.order
        let isDriven = order.ride != nil || order.food != nil || order.bike != nil
        guard change.former == nil else {
            if isDriven { send(ForgetCar(order: order.id)) }
            return send(ForgetCompanion(order: order.id))
        }
        if change.trigger?.kind == .accept, let companion = order.companion {
            send(KeepCompanion(order: order.id, name: companion))
        }
        guard isDriven else { return }
        let isTakenNow = change.trigger?.kind == .accept || change.trigger?.kind == .take
        if isTakenNow, order.state == .accepted { send(KeepCar(order: order)) }
    }

    /// Releases the provider from the order. Other meals that a courier holds stay held.
    func free(_ provider: UUID, of order: Order, hadWork: Bool) {
        guard order.food != nil else {
            return send(FreeProvider(provider: provider, order: order.id, hadWork: hadWork))
        }
        // Locks the courier, since other meals of the trip may be added or released at this moment and the remaining
        // ones must be known.
        send(LockProvider(account: provider))
        send(LeaveTrip(provider: provider, order: order.id, hadWork: hadWork))
    }

    /// Writes the search that rounds read, and the offers.
    private func search(_ effect: OrderEffect, _ change: OrderChange) throws {
        let order = change.order
        let outcome = change.trigger?.kind.rawValue ?? ""
        switch effect {
        case .searches:
            guard let kind = order.searchKind else { return }
            if let former = change.former {
                send(ExcludeProvider(order: order.id, provider: former.account, outcome: outcome, at: order.changedAt))
                send(DeleteOdometer(order: order.id))
            }
            var searched = order
            // The former provider knows the old code and has used up tries, so the new search gets a new code.
            if order.food != nil || change.former != nil { searched.renewCode(OneTimeCode.fourDigits()) }
            if searched != order { send(try UpdateParticulars(searched)) }
            send(DeleteStartTries(order: order.id))
            send(BeginSearch(order: order, kind: kind))
            raiseAfterCommit(RoundNotifier.signal)
        case .offers:
            guard let provider = order.provider else { return }
            send(
                InsertOffer(
                    order: order.id, provider: provider.account, at: order.changedAt,
                    restaurant: order.food?.restaurant))
            send(HoldSearch(order: order.id))
        case .continuesSearch:
            send(CloseOffer(order: order.id, outcome: outcome, at: order.changedAt))
            send(ResumeSearch(order: order.id))
            raiseAfterCommit(RoundNotifier.signal)
        case .endsSearch:
            send(CloseOffer(order: order.id, outcome: outcome, at: order.changedAt))
            send(EndSearch(order: order.id))
        case .startsSearchNow:
            send(try UpdateParticulars(order))
            send(StartSearchNow(order: order.id))
            raiseAfterCommit(RoundNotifier.signal)
        default: break
        }
    }

    /// Adds the sale of a completed meal to the restaurant's sales, on the day in the market's time zone.
    private func sell(_ order: Order, _ settings: MarketSettings) {
        // Payment released before the completion was applied: nothing was sold.
        guard let food = order.food, order.payment.state != .released else { return }
        guard let day = ZonedClock(settings.timeZone)?.wall(at: order.changedAt).day else { return }
        OrderSums.of(self).add(
            AddSales.Sale(restaurant: food.restaurant, day: day, currency: order.currency, items: food.items))
    }

    /// Creates a report in a party's name, for an admin to decide.
    private func report(_ reason: String, for author: OrderActor, in order: Order) throws {
        let account =
            switch author {
            case .provider: order.provider?.account
            case .merchant: order.merchant?.account
            case .customer, .admin, .system: order.customer.account
            }
        send(
            InsertReport(
                report: StoredReport(
                    id: order.id, order: order.id, by: author, reason: reason, note: nil, cancels: true,
                    at: order.changedAt)))
        try publish(
            ReportOpened(
                report: order.id, order: order.id, market: order.market, by: OrderSnapshot.Actor(author),
                account: account ?? order.customer.account, reason: reason, note: nil, cancels: true,
                awaitsDecision: true,
                at: order.changedAt))
    }
}
