extension Workflow {
    /// A driver fetches a bike from a rack and brings it to its customer.
    ///
    /// The bike is reserved when it is ordered, and paid before anybody is asked. Then a driver is searched for as for a
    /// ride. At the rack a code is the driver's; the rack itself says that the bike was picked up. Driver and customer
    /// say that it is there, in whichever order; with the first word the driver is free, and for the second one there
    /// is the window.
    ///
    /// The customer cancels free until a driver has it, and for the market's fee until the bike is out; who has waited
    /// long enough for a driver, to the rack or at it, ends it for nothing. A driver who gives up, or does not come, is
    /// followed by another search, and the bike stays reserved. Whatever ends before the pick-up leaves the bike to
    /// others. A customer who is not at the door is waited for from when both were told that the driver is near; then the
    /// driver says so, and it ends as a ride does whose rider is not there: the price goes back, and the customer pays the
    /// fee and the way. From the pick-up on the bike is out, whatever becomes of the order, until a rack has it again.
    static let bikeDropOff = Workflow(
        kind: "bikeDropOff", first: .pending, opening: [.waits(.payment), .tells(.pending)],
        rows: paidFirst(then: .search, telling: [.searches, .tells(.requested)], ending: [.releasesBike])
            + searched(in: .requested) + asked(orBackTo: .requested) + endingUnanswered(.releasesBike)
            + dropOffAccepted + dropOffAtRack + dropOffUnderWay + underWay(reportedBy: OrderActor.parties)
            + dropOffBans + decided + settled)

    private static let dropOffAccepted: [Row] = [
        // A driver who has not come in all that time cannot ask for a fee.
        Row(
            .accepted, .missProvider, by: [.customer], to: .cancelled,
            .ends(.arrival), .freesProvider, .releasesBike, .because("no-show"), .tells(.cancelled)),
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
        // Nor one who has stood at the rack for as long.
        Row(
            .arrived, .missProvider, by: [.customer], to: .cancelled,
            .ends(.completion), .freesProvider, .releasesBike, .because("no-show"), .tells(.cancelled)),
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
        // The bike is out, and the driver's to bring to a rack.
        Row(
            .inProgress, .missCustomer, by: [.provider], when: .nearAndUnconfirmed, to: .cancelled,
            .ends(.completion), .freesProvider, .fines, .because("customer-no-show"), .tells(.cancelled)),
    ]

    private static let dropOffBans: [Row] = [
        customerBan(in: .pending, ending: .payment, .releasesBike),
        customerBan(in: .accepted, ending: .arrival, .freesProvider, .releasesBike),
        customerBan(in: .arrived, ending: .completion, .freesProvider, .releasesBike),
        providerBan(in: .accepted, ending: .arrival, reopeningFor: .search, .freesProvider, .searches),
        providerBan(in: .arrived, ending: .completion, reopeningFor: .search, .freesProvider, .searches),
    ]
}
