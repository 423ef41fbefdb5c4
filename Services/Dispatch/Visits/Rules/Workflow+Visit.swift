extension Workflow {
    /// A home medical visit: a provider whom the customer chose by name comes to the customer's place.
    ///
    /// It is paid after the acceptance. Each party confirms that the work is done; the confirmation window does it for
    /// the second one. If neither confirms, nobody is paid.
    ///
    /// Cancelling is free until the provider is on the way, and then costs the way made so far; after the arrival the
    /// customer can only report. A report before the payment cancels the order, since there is no money to decide
    /// about. A later report stops the order until an admin decides. If the customer is absent, the provider reports
    /// the no-show after a wait, and the customer pays for the way as for a cancellation at the door.
    ///
    /// A lost payment ends the visit, so that nobody works for nothing without knowing it; a completed visit stays
    /// completed. Only an open order can lose its payment: after an end the wallet releases payments by itself.
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
        // The event that the payment was held arrives later, or never.
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
        // For orders of an older version: before the completion window existed, this window began with the arrival.
        Row(
            .arrived, .confirmationWindowOver, by: [.system], when: .nobodyHasConfirmed, to: .cancelled,
            .ends(.confirmation), .freesProvider, .because("nobody-confirmed"), .tells(.cancelled)),

        // The reason of the report stays: to its parties the visit ended by that, and the review says what was decided.
        Row(.disputed, .decideForProvider, by: [.admin], to: .completed, .ends(.decision), .tells(.completed)),
        Row(.disputed, .decideForCustomer, by: [.admin], to: .cancelled, .ends(.decision), .tells(.cancelled)),
        // Silence never decides about money: all are reminded, and the wait begins again.
        Row(
            .disputed, .decisionWindowOver, by: [.system], to: .disputed,
            .ends(.decision), .waits(.decision), .tells(.undecided)),
        // The wallet may apply the decision first; or an authorisation may lapse meanwhile.
        Row(.disputed, .paymentCaptured, by: [.system], to: .disputed, .tells(.paymentChanged)),
        Row(.disputed, .paymentReleased, by: [.system], to: .disputed, .tells(.paymentChanged)),

        Row(.completed, .paymentCaptured, by: [.system], to: .completed, .tells(.paymentChanged)),
        Row(.completed, .paymentReleased, by: [.system], to: .completed, .tells(.paymentChanged)),
        Row(.cancelled, .paymentReleased, by: [.system], to: .cancelled, .tells(.paymentChanged)),
        Row(.refused, .paymentReleased, by: [.system], to: .refused, .tells(.paymentChanged)),
        Row(.expired, .paymentReleased, by: [.system], to: .expired, .tells(.paymentChanged)),
    ]

    /// Bans cancel the visit, since the customer chose this provider.
    private static let visitBans: [Row] =
        [
            customerBan(in: .requested, ending: .accept), providerBan(in: .requested, ending: .accept),
            customerBan(in: .accepted, ending: .payment, .freesProvider),
            providerBan(in: .accepted, ending: .payment, .freesProvider),
            customerBan(in: .enRoute, ending: .arrival, .freesProvider),
            providerBan(in: .enRoute, ending: .arrival, .freesProvider),
        ] + banRowsInProgress(.arrived, ending: .completion, when: .nobodyHasConfirmed, .freesProvider)
        + banRowsInProgress(.arrived, ending: .confirmation, when: .somebodyHasConfirmed, .freesProvider)
}
