extension Workflow {
    /// A customer hires a bike from a rack and returns it to any rack (C6).
    ///
    /// The order reserves the bike at once and holds the price of the longest hire. After the payment the customer gets
    /// a code that opens the rack. The racks report pick-up and return; the return ends the hire, the time is charged
    /// and the rest of the hold is released.
    ///
    /// Cancelling is free until the pick-up. A bike that is not picked up in time is released, and the money goes back.
    /// A bike that is not returned costs the longest hire and stays in the list of bikes that are out. Only a rack's
    /// report or the end of the completion window can end a hire that has begun: no ban and no lost payment does,
    /// because the bike still has to come back.
    static let bikePickUp = Workflow(
        kind: "bikePickUp", first: .pending, opening: [.waits(.payment), .tells(.pending)],
        rows: bikeUnpaid + bikeReady + bikeOut + settled)

    private static let bikeUnpaid: [Row] = [
        Row(
            .pending, .paymentHeld, by: [.system], to: .accepted,
            .ends(.payment), .waits(.arrival), .tells(.accepted)),
        Row(
            .pending, .cancel, by: [.customer, .admin], to: .cancelled,
            .ends(.payment), .releasesBike, .tells(.cancelled)),
        Row(
            .pending, .paymentWindowOver, by: [.system], to: .expired,
            .ends(.payment), .releasesBike, .because("payment-window-over"), .tells(.expired)),
        // The event for the hold may arrive after the event for its release, or never.
        Row(
            .pending, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.payment), .releasesBike, .because("payment-lost"), .tells(.cancelled)),
        customerBan(in: .pending, ending: .payment, .releasesBike),
    ]

    private static let bikeReady: [Row] = [
        Row(
            .accepted, .start, by: [.system], to: .inProgress,
            .ends(.arrival), .waits(.completion), .tells(.started)),
        Row(
            .accepted, .cancel, by: [.customer, .admin], to: .cancelled,
            .ends(.arrival), .releasesBike, .tells(.cancelled)),
        Row(
            .accepted, .arrivalWindowOver, by: [.system], to: .expired,
            .ends(.arrival), .releasesBike, .because("not-picked-up"), .tells(.expired)),
        Row(
            .accepted, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.arrival), .releasesBike, .because("payment-lost"), .tells(.cancelled)),
        customerBan(in: .accepted, ending: .arrival, .releasesBike),
    ]

    private static let bikeOut: [Row] = [
        Row(.inProgress, .bringBack, by: [.system], to: .completed, .ends(.completion), .tells(.completed)),
        Row(
            .inProgress, .completionWindowOver, by: [.system], to: .completed,
            .ends(.completion), .because("not-brought-back"), .tells(.completed)),
        Row(.inProgress, .paymentReleased, by: [.system], to: .inProgress, .tells(.paymentChanged)),
    ]
}
