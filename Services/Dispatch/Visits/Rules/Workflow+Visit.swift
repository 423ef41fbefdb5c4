extension Workflow {
    /// Somebody comes to the customer's place, chosen by name: home medical visits.
    ///
    /// It is paid after it was accepted. Each party says that the work is done; the market's window does it for the
    /// second one. When neither says so, nobody is paid.
    ///
    /// Cancelling is free until the provider is on the way, and costs the way made so far from then on; once there, the
    /// customer can only report. What is reported before it was paid is cancelled, for there is no money to decide about.
    /// What is reported after that goes no further, and waits for an admin. When the customer is not there the provider
    /// says so after a while, and the way is paid for, as if the customer had cancelled at the door.
    ///
    /// A payment that is lost ends the visit, so that nobody works for nothing without knowing it; what is done stays
    /// done. Only an order that goes on can lose its payment: the wallet gives one back by itself after an end.
    static let visit = Workflow(
        kind: "visit", first: .requested, opening: [.waits(.accept), .tells(.requested)],
        rows: visitWay + visitBans)

    private static let visitWay: [Row] = [
        Row(
            .requested, .accept, by: [.provider], to: .accepted,
            .ends(.accept), .waits(.payment), .claimsProvider, .tells(.accepted)),
        Row(
            .requested, .decline, by: [.provider], to: .refused,
            .ends(.accept), .tells(.refused)),
        Row(
            .requested, .cancel, by: [.customer], to: .cancelled,
            .ends(.accept), .tells(.cancelled)),
        Row(
            .requested, .report, by: OrderActor.parties, to: .cancelled,
            .ends(.accept), .tells(.cancelled)),
        Row(
            .requested, .acceptWindowOver, by: [.system], to: .expired,
            .ends(.accept), .because("accept-window-over"), .tells(.expired)),

        Row(
            .accepted, .paymentHeld, by: [.system], to: .enRoute,
            .ends(.payment), .waits(.arrival), .tells(.enRoute)),
        Row(
            .accepted, .cancel, by: [.customer], to: .cancelled,
            .ends(.payment), .freesProvider, .tells(.cancelled)),
        Row(
            .accepted, .report, by: OrderActor.parties, to: .cancelled,
            .ends(.payment), .freesProvider, .tells(.cancelled)),
        Row(
            .accepted, .paymentWindowOver, by: [.system], to: .expired,
            .ends(.payment), .freesProvider, .because("payment-window-over"), .tells(.expired)),
        // The news that it was held comes later, or never.
        Row(
            .accepted, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.payment), .freesProvider, .because("payment-lost"), .tells(.cancelled)),

        Row(
            .enRoute, .comeNear, by: [.system], when: .notYetNear, to: .enRoute,
            .tells(.nearby)),
        Row(
            .enRoute, .arrive, by: [.provider], to: .arrived,
            .ends(.arrival), .waits(.completion), .tells(.arrived)),
        Row(
            .enRoute, .cancel, by: [.customer], to: .cancelled,
            .ends(.arrival), .freesProvider, .fines, .tells(.cancelled)),
        Row(
            .enRoute, .report, by: OrderActor.parties, to: .disputed,
            .ends(.arrival), .waits(.decision), .freesProvider, .tells(.disputed)),
        Row(
            .enRoute, .arrivalWindowOver, by: [.system], to: .cancelled,
            .ends(.arrival), .freesProvider, .because("no-show"), .tells(.cancelled)),
        Row(
            .enRoute, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.arrival), .freesProvider, .because("payment-lost"), .tells(.cancelled)),

        Row(
            .arrived, .complete, by: OrderActor.parties, when: .nobodyHasConfirmed, to: .arrived,
            .ends(.completion), .waits(.confirmation), .tells(.confirmed)),
        Row(
            .arrived, .complete, by: OrderActor.parties, when: .otherHasConfirmed, to: .completed,
            .ends(.confirmation), .freesProvider, .tells(.completed)),
        Row(
            .arrived, .missCustomer, by: [.provider], when: .nobodyHasConfirmed, to: .cancelled,
            .ends(.completion), .freesProvider, .fines, .because("customer-no-show"), .tells(.cancelled)),
        Row(
            .arrived, .report, by: OrderActor.parties, when: .nobodyHasConfirmed, to: .disputed,
            .ends(.completion), .waits(.decision), .freesProvider, .tells(.disputed)),
        Row(
            .arrived, .report, by: OrderActor.parties, when: .somebodyHasConfirmed, to: .disputed,
            .ends(.confirmation), .waits(.decision), .freesProvider, .tells(.disputed)),
        Row(
            .arrived, .confirmationWindowOver, by: [.system], when: .somebodyHasConfirmed, to: .completed,
            .ends(.confirmation), .freesProvider, .because("confirmation-window-over"), .tells(.completed)),
        Row(
            .arrived, .paymentReleased, by: [.system], when: .nobodyHasConfirmed, to: .cancelled,
            .ends(.completion), .freesProvider, .because("payment-lost"), .tells(.cancelled)),
        Row(
            .arrived, .paymentReleased, by: [.system], when: .somebodyHasConfirmed, to: .cancelled,
            .ends(.confirmation), .freesProvider, .because("payment-lost"), .tells(.cancelled)),
        Row(
            .arrived, .completionWindowOver, by: [.system], when: .nobodyHasConfirmed, to: .cancelled,
            .ends(.completion), .freesProvider, .because("nobody-confirmed"), .tells(.cancelled)),
        // Before there was a window for the completion, this one began with the arrival.
        Row(
            .arrived, .confirmationWindowOver, by: [.system], when: .nobodyHasConfirmed, to: .cancelled,
            .ends(.confirmation), .freesProvider, .because("nobody-confirmed"), .tells(.cancelled)),

        Row(
            .disputed, .decideForProvider, by: [.admin], to: .completed,
            .ends(.decision), .because("report-decided"), .tells(.completed)),
        Row(
            .disputed, .decideForCustomer, by: [.admin], to: .cancelled,
            .ends(.decision), .because("report-decided"), .tells(.cancelled)),
        // Nobody's money is decided about by silence: all are reminded, and it goes on waiting.
        Row(
            .disputed, .decisionWindowOver, by: [.system], to: .disputed,
            .ends(.decision), .waits(.decision), .tells(.undecided)),
        // The wallet may hear of the decision first; and an authorisation may lapse meanwhile.
        Row(.disputed, .paymentCaptured, by: [.system], to: .disputed, .tells(.paymentChanged)),
        Row(.disputed, .paymentReleased, by: [.system], to: .disputed, .tells(.paymentChanged)),

        Row(.completed, .paymentCaptured, by: [.system], to: .completed, .tells(.paymentChanged)),
        Row(.completed, .paymentReleased, by: [.system], to: .completed, .tells(.paymentChanged)),
        Row(.cancelled, .paymentReleased, by: [.system], to: .cancelled, .tells(.paymentChanged)),
        Row(.refused, .paymentReleased, by: [.system], to: .refused, .tells(.paymentChanged)),
        Row(.expired, .paymentReleased, by: [.system], to: .expired, .tells(.paymentChanged)),
    ]

    /// Its customer has chosen just this provider, so nobody else is sent.
    private static let visitBans: [Row] =
        [
            customerBan(in: .requested, ending: .accept), providerBan(in: .requested, ending: .accept),
            customerBan(in: .accepted, ending: .payment, .freesProvider),
            providerBan(in: .accepted, ending: .payment, .freesProvider),
            customerBan(in: .enRoute, ending: .arrival, .freesProvider),
            providerBan(in: .enRoute, ending: .arrival, .freesProvider),
        ] + bansAmid(.arrived, ending: .completion, when: .nobodyHasConfirmed, .freesProvider)
        + bansAmid(.arrived, ending: .confirmation, when: .somebodyHasConfirmed, .freesProvider)
}
