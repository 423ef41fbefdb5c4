/// What several workflows have in common.
extension Workflow {
    /// Of an order that is paid before anybody is asked.
    ///
    /// - Parameters:
    ///   - window: what it waits for once it is paid.
    ///   - effects: what else follows then, with its news.
    ///   - last: what else follows when it ends before it is paid.
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
            // The news that it was held comes later, or never.
            Row(
                .pending, .paymentReleased, by: [.system], when: .always, to: .cancelled,
                effects: [.ends(.payment)] + last + [.because("payment-lost"), .tells(.cancelled)]),
        ]
    }

    /// Of an order that the platform searches a provider for, and has on offer to nobody: one is asked, or one takes it.
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

    /// Of an order on offer to one: a yes, or the search goes on. In the driver's own words a no is nobody else's to read.
    static func asked(orBackTo open: OrderState) -> [Row] {
        [
            Row(
                .offered, .accept, by: [.provider], to: .accepted,
                .ends(.offer), .endsSearch, .waits(.arrival), .tells(.accepted)),
            Row(
                .offered, .decline, by: [.provider], to: open,
                .ends(.offer), .freesProvider, .losesProvider, .searchesOn, .resumes(.search), .because("declined"),
                .tells(.passed)),
            Row(
                .offered, .offerWindowOver, by: [.system], to: open,
                .ends(.offer), .freesProvider, .losesProvider, .searchesOn, .resumes(.search),
                .because("offer-window-over"), .tells(.passed)),
            providerBanWhileAsked(to: open),
        ]
    }

    /// How an order ends that nobody has said yes to. Who was only asked has nothing to do with it any more.
    ///
    /// - Parameter last: what else follows.
    static func endingUnanswered(_ last: OrderEffect...) -> [Row] {
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

    /// Of what is on its way, or was brought: the second word is the window's, and whoever reports, is silent, is banned or
    /// loses the payment brings it before an admin.
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
            ] + bansAmid(.inProgress, ending: window, when: condition, .freesProvider)
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

    /// A reported order waits for an admin's decision, however long that takes. The wallet may hear of it first.
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

    /// Only the money still moves.
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
