extension Workflow {
    /// A ride: a driver takes the rider from one place to another.
    ///
    /// It is paid, or cash is promised, before any driver is asked. Then the platform searches until a fixed end: it
    /// offers the ride to one driver at a time, who holds it from the offer on and so gets no other offer; a waiting
    /// driver may also take it while it is on offer to nobody. A driver who declines, or does not answer in time, is
    /// not asked again.
    ///
    /// The driver reports the arrival, then that the rider is in the car (with the rider's start code where the market
    /// asks for one), then that the way is done, and is free. The rider confirms, or the window does.
    ///
    /// The rider cancels for free until a driver has the ride, and for the driver's way and the market's fee until the
    /// ride begins. A driver who gives up begins a new search. After the start there is only the completion or a
    /// decision: silence or a lost payment brings the ride before an admin.
    static let ride = Workflow(
        kind: "ride", first: .pending, opening: [.waits(.payment), .tells(.pending)],
        rows: paidFirst(then: .search, telling: [.searches, .tells(.requested)]) + searched(in: .requested)
            + asked(orBackTo: .requested) + unansweredEndingRows() + rideComing + rideThere + rideUnderWay
            + underWay(reportedBy: OrderActor.parties) + rideBans + decided + settled)

    private static let rideComing: [Row] = [
        // A driver who did not come in time gets no fee.
        Row(
            .accepted, .missProvider, by: [.customer], to: .cancelled,
            .ends(.arrival), .freesProvider, .because("no-show"), .tells(.cancelled)),
        Row(.accepted, .comeNear, by: [.system], when: .notYetNear, to: .accepted, .tells(.nearby)),
        Row(
            .accepted, .arrive, by: [.provider], to: .arrived,
            .ends(.arrival), .waits(.completion), .tells(.arrived)),
        Row(
            .accepted, .giveUp, by: [.provider], to: .requested,
            .ends(.arrival), .freesProvider, .losesProvider, .searches, .waits(.search), .tells(.reopened)),
        Row(
            .accepted, .cancel, by: [.customer], to: .cancelled,
            .ends(.arrival), .freesProvider, .fines, .tells(.cancelled)),
        Row(.accepted, .cancel, by: [.admin], to: .cancelled, .ends(.arrival), .freesProvider, .tells(.cancelled)),
        Row(
            .accepted, .report, by: OrderActor.parties, to: .disputed,
            .ends(.arrival), .waits(.decision), .freesProvider, .tells(.disputed)),
        Row(
            .accepted, .arrivalWindowOver, by: [.system], to: .cancelled,
            .ends(.arrival), .freesProvider, .because("no-show"), .tells(.cancelled)),
        Row(
            .accepted, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.arrival), .freesProvider, .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let rideThere: [Row] = [
        Row(
            .arrived, .start, by: [.provider], to: .inProgress,
            .ends(.completion), .waits(.completion), .tells(.started)),
        Row(
            .arrived, .giveUp, by: [.provider], to: .requested,
            .ends(.completion), .freesProvider, .losesProvider, .searches, .waits(.search), .tells(.reopened)),
        Row(
            .arrived, .missCustomer, by: [.provider], to: .cancelled,
            .ends(.completion), .freesProvider, .fines, .because("customer-no-show"), .tells(.cancelled)),
        Row(
            .arrived, .cancel, by: [.customer], to: .cancelled,
            .ends(.completion), .freesProvider, .fines, .tells(.cancelled)),
        Row(.arrived, .cancel, by: [.admin], to: .cancelled, .ends(.completion), .freesProvider, .tells(.cancelled)),
        Row(
            .arrived, .report, by: OrderActor.parties, to: .disputed,
            .ends(.completion), .waits(.decision), .freesProvider, .tells(.disputed)),
        Row(
            .arrived, .completionWindowOver, by: [.system], to: .cancelled,
            .ends(.completion), .freesProvider, .because("not-started"), .tells(.cancelled)),
        Row(
            .arrived, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.completion), .freesProvider, .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let rideUnderWay: [Row] = [
        // The driver is free for the next order before the rider confirms.
        Row(
            .inProgress, .complete, by: [.provider], when: .nobodyHasConfirmed, to: .inProgress,
            .ends(.completion), .waits(.confirmation), .freesProvider, .tells(.confirmed)),
        Row(
            .inProgress, .complete, by: [.customer], when: .otherHasConfirmed, to: .completed,
            .ends(.confirmation), .freesProvider, .tells(.completed)),
        // An early end by driver or rider. The price covers the way until the driver, or the window, confirms, and is
        // never more than the quote. The rider's word alone lowers no price: a rider who is driven on pays for that.
        Row(
            .inProgress, .endEarly, by: [.provider], when: .nobodyHasConfirmed, to: .inProgress,
            .ends(.completion), .waits(.confirmation), .freesProvider, .tells(.confirmed)),
        Row(
            .inProgress, .endEarly, by: [.customer], when: .nobodyHasConfirmed, to: .inProgress,
            .ends(.completion), .waits(.confirmation), .tells(.confirmed)),
        Row(
            .inProgress, .complete, by: [.provider], when: .otherHasConfirmed, to: .completed,
            .ends(.confirmation), .freesProvider, .tells(.completed)),
    ]

    private static let rideBans: [Row] = [
        customerBan(in: .pending, ending: .payment),
        customerBan(in: .accepted, ending: .arrival, .freesProvider),
        customerBan(in: .arrived, ending: .completion, .freesProvider),
        providerBan(in: .accepted, ending: .arrival, reopeningFor: .search, .freesProvider, .searches),
        providerBan(in: .arrived, ending: .completion, reopeningFor: .search, .freesProvider, .searches),
    ]
}
