extension Workflow {
    /// Somebody is driven from one place to another.
    ///
    /// It is paid, or cash is promised, before anybody is asked. Then it is searched for until the end of the search:
    /// the platform offers it to one driver at a time, who holds it from the offer on, so that nothing else can be
    /// offered to him; a driver who waits may also take it while it is on offer to nobody. Whoever says no, or nothing
    /// in time, is not asked again.
    ///
    /// The driver says that he is there, that the rider is in the car (with the rider's start code where the market
    /// asks for one), and that the way is done, after which he is free; the rider confirms, or the window does.
    ///
    /// The rider cancels free until a driver has it, and for the market's fee until the ride begins. A driver who
    /// gives up begins a new search. From the start on there is no way out but the end or a decision: whoever is
    /// silent then, or loses a payment, brings it before an admin.
    static let ride = Workflow(
        kind: "ride", first: .pending, opening: [.waits(.payment), .tells(.pending)],
        rows: paidFirst(then: .search, telling: [.searches, .tells(.requested)]) + searched(in: .requested)
            + asked(orBackTo: .requested) + endingUnanswered() + rideComing + rideThere + rideUnderWay
            + underWay(reportedBy: OrderActor.parties) + rideBans + decided + settled)

    private static let rideComing: [Row] = [
        // A driver who has not come in all that time cannot ask for a fee.
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
        // Free for the next one, whenever the rider confirms.
        Row(
            .inProgress, .complete, by: [.provider], when: .nobodyHasConfirmed, to: .inProgress,
            .ends(.completion), .waits(.confirmation), .freesProvider, .tells(.confirmed)),
        Row(
            .inProgress, .complete, by: [.customer], when: .otherHasConfirmed, to: .completed,
            .ends(.confirmation), .freesProvider, .tells(.completed)),
        // Before its destination, by either's word; it costs what was driven until the driver, or the window, says so last, and
        // nothing more than was quoted. The rider's word alone makes nothing cheaper: who is driven on pays for it.
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
