extension Workflow {
    /// A driver collects a bike from a rack and delivers it to the customer.
    ///
    /// The order reserves the bike at once. After the payment a driver is searched for as for a ride. At the rack the
    /// driver gets a code, and the rack reports the pick-up. Driver and customer both confirm the delivery, in any
    /// order: the first confirmation frees the driver and starts the confirmation window for the second.
    ///
    /// Cancelling is free for the customer until a driver has accepted, and costs the market's fee until the pick-up. A
    /// customer who has waited long enough for the driver, on the way to the rack or at it, may end the order for
    /// nothing. If the driver gives up or does not come, another search starts and the bike stays reserved. An order
    /// that ends before the pick-up releases the bike. If the customer is not at the door, the waiting time counts from
    /// when both were told that the driver is near; then the driver may report it, and the order ends like a ride
    /// without its rider: the price goes back, and the customer pays the fee and the way. From the pick-up on the bike
    /// is out, whatever happens to the order, until a rack reports its return.
    static let bikeDropOff = Workflow(
        kind: "bikeDropOff", first: .pending, opening: [.waits(.payment), .tells(.pending)],
        rows: paidFirst(then: .search, telling: [.searches, .tells(.requested)], ending: [.releasesBike])
            + searched(in: .requested) + asked(orBackTo: .requested) + unansweredEndingRows(.releasesBike)
            + dropOffAccepted + dropOffAtRack + dropOffUnderWay + underWay(reportedBy: OrderActor.parties)
            + dropOffBans + decided + settled)

    private static let dropOffAccepted: [Row] = [
        // Ends without a fine: the driver had the time to come.
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
        // The same after the waiting time at the rack.
        Row(
            .arrived, .missProvider, by: [.customer], to: .cancelled,
            .ends(.completion), .freesProvider, .releasesBike, .because("no-show"), .tells(.cancelled)),
        // The rack has released the bike.
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
        // The first confirmation frees the driver for the next order.
        Row(
            .inProgress, .complete, by: OrderActor.parties, when: .nobodyHasConfirmed, to: .inProgress,
            .ends(.completion), .waits(.confirmation), .freesProvider, .tells(.confirmed)),
        Row(
            .inProgress, .complete, by: OrderActor.parties, when: .otherHasConfirmed, to: .completed,
            .ends(.confirmation), .freesProvider, .tells(.completed)),
        // The bike is out; the driver has to return it to a rack.
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
