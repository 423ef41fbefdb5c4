extension Workflow {
    /// A driver fetches a bike from a rack and brings it to its customer.
    ///
    /// The bike is reserved when it is ordered, and paid before anybody is asked. Then a driver is searched for as for a
    /// ride. At the rack a code is the driver's; the rack itself says that the bike was picked up. Driver and customer
    /// say that it is there, in whichever order; with the first word the driver is free, and for the second one there
    /// is the window.
    ///
    /// The customer cancels free until a driver has it, and for the market's fee until the bike is out. A driver who
    /// gives up, or does not come, is followed by another search, and the bike stays reserved. Whatever ends before the
    /// pick-up leaves the bike to others. From the pick-up on the bike is out, whatever becomes of the order, until a
    /// rack has it again.
    static let bikeDropOff = Workflow(
        kind: "bikeDropOff", first: .pending, opening: [.waits(.payment), .tells(.pending)],
        rows: paidFirst(then: .search, telling: [.searches, .tells(.requested)], ending: [.releasesBike])
            + dropOffSearched + dropOffOffered + dropOffAccepted + dropOffAtRack + dropOffUnderWay + dropOffBans
            + decided + settled)

    private static let dropOffSearched: [Row] = [
        Row(
            .requested, .offer, by: [.system], to: .offered,
            .ends(.search), .claimsProvider, .takesProvider, .offers, .waits(.offer), .tells(.offered)),
        Row(
            .requested, .take, by: [.provider], to: .accepted,
            .ends(.search), .endsSearch, .claimsProvider, .takesProvider, .waits(.arrival), .tells(.accepted)),
        Row(
            .requested, .cancel, by: [.customer, .admin], to: .cancelled,
            .ends(.search), .endsSearch, .releasesBike, .tells(.cancelled)),
        Row(
            .requested, .searchWindowOver, by: [.system], to: .expired,
            .ends(.search), .endsSearch, .releasesBike, .because("nobody-found"), .tells(.expired)),
        Row(
            .requested, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.search), .endsSearch, .releasesBike, .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let dropOffOffered: [Row] = [
        Row(
            .offered, .accept, by: [.provider], to: .accepted,
            .ends(.offer), .endsSearch, .waits(.arrival), .tells(.accepted)),
        // In the driver's own words it is nobody else's to read.
        Row(
            .offered, .decline, by: [.provider], to: .requested,
            .ends(.offer), .freesProvider, .losesProvider, .searchesOn, .resumes(.search), .because("declined"),
            .tells(.passed)),
        Row(
            .offered, .offerWindowOver, by: [.system], to: .requested,
            .ends(.offer), .freesProvider, .losesProvider, .searchesOn, .resumes(.search),
            .because("offer-window-over"),
            .tells(.passed)),
        Row(
            .offered, .cancel, by: [.customer, .admin], to: .cancelled,
            .ends(.offer), .endsSearch, .freesProvider, .releasesBike, .tells(.cancelled)),
        Row(
            .offered, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.offer), .endsSearch, .freesProvider, .releasesBike, .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let dropOffAccepted: [Row] = [
        Row(
            .accepted, .arrive, by: [.provider], to: .arrived,
            .ends(.arrival), .waits(.completion), .tells(.arrived)),
        Row(
            .accepted, .giveUp, by: [.provider], to: .requested,
            .ends(.arrival), .freesProvider, .losesProvider, .searches, .waits(.search), .because("given-up"),
            .tells(.reopened)),
        Row(
            .accepted, .arrivalWindowOver, by: [.system], to: .requested,
            .ends(.arrival), .freesProvider, .losesProvider, .searches, .waits(.search), .because("not-picked-up"),
            .tells(.reopened)),
        Row(
            .accepted, .cancel, by: [.customer], to: .cancelled,
            .ends(.arrival), .freesProvider, .releasesBike, .fines, .tells(.cancelled)),
        Row(
            .accepted, .cancel, by: [.admin], to: .cancelled,
            .ends(.arrival), .freesProvider, .releasesBike, .tells(.cancelled)),
        Row(
            .accepted, .report, by: OrderActor.parties, to: .disputed,
            .ends(.arrival), .waits(.decision), .freesProvider, .releasesBike, .tells(.disputed)),
        Row(
            .accepted, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.arrival), .freesProvider, .releasesBike, .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let dropOffAtRack: [Row] = [
        // The rack has let the bike go.
        Row(
            .arrived, .start, by: [.system], to: .inProgress,
            .ends(.completion), .waits(.completion), .tells(.started)),
        Row(
            .arrived, .giveUp, by: [.provider], to: .requested,
            .ends(.completion), .freesProvider, .losesProvider, .searches, .waits(.search), .because("given-up"),
            .tells(.reopened)),
        Row(
            .arrived, .cancel, by: [.customer], to: .cancelled,
            .ends(.completion), .freesProvider, .releasesBike, .fines, .tells(.cancelled)),
        Row(
            .arrived, .cancel, by: [.admin], to: .cancelled,
            .ends(.completion), .freesProvider, .releasesBike, .tells(.cancelled)),
        Row(
            .arrived, .report, by: OrderActor.parties, to: .disputed,
            .ends(.completion), .waits(.decision), .freesProvider, .releasesBike, .tells(.disputed)),
        Row(
            .arrived, .completionWindowOver, by: [.system], to: .cancelled,
            .ends(.completion), .freesProvider, .releasesBike, .because("not-started"), .tells(.cancelled)),
        Row(
            .arrived, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.completion), .freesProvider, .releasesBike, .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let dropOffUnderWay: [Row] = [
        Row(.inProgress, .comeNear, by: [.system], when: .notYetNear, to: .inProgress, .tells(.nearby)),
        // Whoever says it first, the driver is free for the next one.
        Row(
            .inProgress, .complete, by: OrderActor.parties, when: .nobodyHasConfirmed, to: .inProgress,
            .ends(.completion), .waits(.confirmation), .freesProvider, .tells(.confirmed)),
        Row(
            .inProgress, .complete, by: OrderActor.parties, when: .otherHasConfirmed, to: .completed,
            .ends(.confirmation), .freesProvider, .tells(.completed)),
        Row(
            .inProgress, .confirmationWindowOver, by: [.system], when: .somebodyHasConfirmed, to: .completed,
            .ends(.confirmation), .freesProvider, .because("confirmation-window-over"), .tells(.completed)),
        Row(
            .inProgress, .completionWindowOver, by: [.system], when: .nobodyHasConfirmed, to: .disputed,
            .ends(.completion), .waits(.decision), .freesProvider, .reports("not-finished"), .tells(.disputed)),
        Row(
            .inProgress, .report, by: OrderActor.parties, when: .nobodyHasConfirmed, to: .disputed,
            .ends(.completion), .waits(.decision), .freesProvider, .tells(.disputed)),
        Row(
            .inProgress, .report, by: OrderActor.parties, when: .somebodyHasConfirmed, to: .disputed,
            .ends(.confirmation), .waits(.decision), .freesProvider, .tells(.disputed)),
        Row(
            .inProgress, .paymentReleased, by: [.system], when: .nobodyHasConfirmed, to: .disputed,
            .ends(.completion), .waits(.decision), .freesProvider, .reports("payment-lost"), .tells(.disputed)),
        Row(
            .inProgress, .paymentReleased, by: [.system], when: .somebodyHasConfirmed, to: .disputed,
            .ends(.confirmation), .waits(.decision), .freesProvider, .reports("payment-lost"), .tells(.disputed)),
    ]

    private static let dropOffBans: [Row] =
        [
            customerBan(in: .pending, ending: .payment, .releasesBike),
            customerBan(in: .requested, ending: .search, .endsSearch, .releasesBike),
            customerBan(in: .offered, ending: .offer, .endsSearch, .freesProvider, .releasesBike),
            customerBan(in: .accepted, ending: .arrival, .freesProvider, .releasesBike),
            customerBan(in: .arrived, ending: .completion, .freesProvider, .releasesBike),
            providerBanWhileAsked(to: .requested),
            providerBan(in: .accepted, ending: .arrival, reopeningFor: .search, .freesProvider, .searches),
            providerBan(in: .arrived, ending: .completion, reopeningFor: .search, .freesProvider, .searches),
        ] + bansAmid(.inProgress, ending: .completion, when: .nobodyHasConfirmed, .freesProvider)
        + bansAmid(.inProgress, ending: .confirmation, when: .somebodyHasConfirmed, .freesProvider)
}
