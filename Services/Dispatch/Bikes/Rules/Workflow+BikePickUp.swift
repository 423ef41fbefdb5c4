extension Workflow {
    /// A bike that is hired from a rack, and brought back to one (C6).
    ///
    /// It is reserved when it is ordered, and paid before it can be taken: what the longest hire costs is held. Then there is a
    /// code that opens the rack. The racks say that it was picked up and brought back; the hire ends there, costs its time,
    /// and the rest goes back.
    ///
    /// Cancelling is free until it is out. What is not picked up in time is for others again, and the money goes back. One
    /// that does not come back costs what the longest hire costs, and stays named in the list of bikes that are out. Nobody but
    /// a rack can end a hire that has begun: not a ban, and not a lost payment, for the bike has to come back all the same.
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
        // The news that it was held comes later, or never.
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
