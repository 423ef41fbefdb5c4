/// Rows that several workflows share.
extension Workflow {
    /// Rows for an order that is paid before any provider is asked.
    ///
    /// - Parameters:
    ///   - window: the window that opens with the payment.
    ///   - effects: further effects of the payment, with its news.
    ///   - last: further effects of an end before the payment.
    static func paidFirst(
        then window: OrderWindow, telling effects: [OrderEffect], ending last: [OrderEffect] = []
    ) -> [Row] {
        [
            Row(
                .pending, .paymentHeld, by: [.system], when: .always, to: .requested,
                effects: [.ends(.payment), .waits(window)] + effects),
            Row(
                .pending, .cancel, by: [.customer, .admin], when: .always, to: .cancelled,
                effects: [.ends(.payment)] + last + [.tells(.cancelled)]),
            Row(
                .pending, .paymentWindowOver, by: [.system], when: .always, to: .expired,
                effects: [.ends(.payment)] + last + [.because("payment-window-over"), .tells(.expired)]),
            // The event that the payment was held arrives later, or never.
            Row(
                .pending, .paymentReleased, by: [.system], when: .always, to: .cancelled,
                effects: [.ends(.payment)] + last + [.because("payment-lost"), .tells(.cancelled)]),
        ]
    }

    /// Rows for an order in a search, offered to nobody: the platform offers it to one provider, or a provider takes
    /// it.
    static func searched(in state: OrderState) -> [Row] {
        [
            Row(
                state, .offer, by: [.system], to: .offered,
                .ends(.search), .claimsProvider, .takesProvider, .offers, .waits(.offer), .tells(.offered)),
            Row(
                state, .take, by: [.provider], to: .accepted,
                .ends(.search), .endsSearch, .claimsProvider, .takesProvider, .waits(.arrival), .tells(.accepted)),
        ]
    }

    /// Rows for an order that is offered to one provider: an acceptance, or the search goes on. The driver's own words
    /// of a refusal are not kept with the order, so nobody else reads them.
    static func asked(orBackTo open: OrderState) -> [Row] {
        [
            Row(
                .offered, .accept, by: [.provider], to: .accepted,
                .ends(.offer), .endsSearch, .waits(.arrival), .tells(.accepted)),
            Row(
                .offered, .decline, by: [.provider], to: open,
                .ends(.offer), .freesProvider, .losesProvider, .continuesSearch, .resumes(.search),
                .because("declined"),
                .tells(.passed)),
            Row(
                .offered, .offerWindowOver, by: [.system], to: open,
                .ends(.offer), .freesProvider, .losesProvider, .continuesSearch, .resumes(.search),
                .because("offer-window-over"), .tells(.passed)),
            providerBanWhileAsked(to: open),
        ]
    }

    /// Rows for the end of an order that no provider has accepted. A provider who was only asked is no party of the
    /// ended order.
    ///
    /// - Parameter last: further effects.
    static func unansweredEndingRows(_ last: OrderEffect...) -> [Row] {
        let asked: [OrderEffect] = [.freesProvider, .losesProvider]
        func ends(_ trigger: OrderTrigger.Kind, by actors: Set<OrderActor>, because reason: [OrderEffect]) -> [Row] {
            [(OrderState.requested, OrderWindow.search, []), (.offered, .offer, asked)].map { state, window, more in
                Row(
                    state, trigger, by: actors, when: .always, to: .cancelled,
                    effects: [.ends(window), .endsSearch] + more + last + reason + [.tells(.cancelled)])
            }
        }
        return ends(.cancel, by: [.customer, .admin], because: [])
            + ends(.paymentReleased, by: [.system], because: [.because("payment-lost")])
            + ends(.customerBanned, by: [.system], because: [.because(customerBanned)])
            + [
                Row(
                    .requested, .searchWindowOver, by: [.system], when: .always, to: .expired,
                    effects: [.ends(.search), .endsSearch] + last + [.because("nobody-found"), .tells(.expired)])
            ]
    }

    /// Rows for an order that is under way or delivered. The confirmation window gives the second confirmation. A
    /// report, silence of both, a ban or a lost payment brings the order before an admin.
    static func underWay(reportedBy parties: Set<OrderActor>) -> [Row] {
        let waits: [(Condition, OrderWindow)] = [
            (.nobodyHasConfirmed, .completion), (.somebodyHasConfirmed, .confirmation),
        ]
        let before = waits.flatMap { condition, window in
            [
                Row(
                    .inProgress, .report, by: parties, when: condition, to: .disputed,
                    .ends(window), .waits(.decision), .freesProvider, .tells(.disputed)),
                Row(
                    .inProgress, .paymentReleased, by: [.system], when: condition, to: .disputed,
                    .ends(window), .waits(.decision), .freesProvider, .reports("payment-lost"), .tells(.disputed)),
            ] + banRowsInProgress(.inProgress, ending: window, when: condition, .freesProvider)
        }
        return before + [
            Row(
                .inProgress, .confirmationWindowOver, by: [.system], when: .somebodyHasConfirmed, to: .completed,
                .ends(.confirmation), .freesProvider, .because("confirmation-window-over"), .tells(.completed)),
            Row(
                .inProgress, .completionWindowOver, by: [.system], when: .nobodyHasConfirmed, to: .disputed,
                .ends(.completion), .waits(.decision), .freesProvider, .reports("not-finished"), .tells(.disputed)),
        ]
    }

    /// Rows for a reported order, which waits for an admin's decision without a limit. The wallet may learn of the
    /// decision first, so payment and deposit events are accepted here, too.
    static let decided: [Row] = [
        Row(
            .disputed, .decideForProvider, by: [.admin], to: .completed,
            .ends(.decision), .because("report-decided"), .tells(.completed)),
        Row(
            .disputed, .decideForCustomer, by: [.admin], to: .cancelled,
            .ends(.decision), .because("report-decided"), .tells(.cancelled)),
        Row(
            .disputed, .decisionWindowOver, by: [.system], to: .disputed,
            .ends(.decision), .waits(.decision), .tells(.undecided)),
        Row(.disputed, .paymentCaptured, by: [.system], to: .disputed, .tells(.paymentChanged)),
        Row(.disputed, .paymentReleased, by: [.system], to: .disputed, .tells(.paymentChanged)),
        Row(.disputed, .depositEnded, by: [.system], when: .withDeposit, to: .disputed, .tells(.paymentChanged)),
    ]

    /// Rows for an ended order: only payment and deposit still change.
    static let settled: [Row] = [
        Row(.completed, .paymentCaptured, by: [.system], to: .completed, .tells(.paymentChanged)),
        Row(.completed, .paymentReleased, by: [.system], to: .completed, .tells(.paymentChanged)),
        Row(.completed, .depositEnded, by: [.system], when: .withDeposit, to: .completed, .tells(.paymentChanged)),
        Row(.cancelled, .paymentReleased, by: [.system], to: .cancelled, .tells(.paymentChanged)),
        Row(.cancelled, .depositEnded, by: [.system], when: .withDeposit, to: .cancelled, .tells(.paymentChanged)),
        Row(.refused, .paymentReleased, by: [.system], to: .refused, .tells(.paymentChanged)),
        Row(.expired, .paymentReleased, by: [.system], to: .expired, .tells(.paymentChanged)),
    ]
}
