extension Workflow {
    /// A care visit: a partner whom an admin sends comes to the customer's place, at once or at a set time.
    ///
    /// It is paid before it reaches the desk, where an admin sends it to a care partner or refuses it. The partner
    /// confirms, declines, or asks for another time, which an admin sets; without an answer in time the visit goes back
    /// to the desk. The partner begins and ends the visit, and may refuse it at the door. After any refusal the money
    /// goes back.
    ///
    /// If one of them is absent at the time, the other reports it after a wait, and the money goes back.
    ///
    /// Cancelling is free until the visit has begun. A visit that has begun and is never ended comes before an admin,
    /// since silence does not say whether it was done.
    static let homeCare = Workflow(
        kind: "homeCare", first: .pending, opening: [.waits(.payment), .tells(.pending)],
        rows: paidFirst(then: .desk, telling: [.tells(.requested)]) + careAtDesk + careOffered + careConfirmed
            + careUnderWay + careBans + decided + settled)

    private static let careAtDesk: [Row] = [
        Row(
            .requested, .assign, by: [.admin], to: .offered,
            .ends(.desk), .takesProvider, .waits(.assignment), .tells(.offered)),
        Row(.requested, .reschedule, by: [.admin], to: .requested, .ends(.desk), .waits(.desk), .tells(.rescheduled)),
        Row(.requested, .decline, by: [.admin], to: .refused, .ends(.desk), .tells(.refused)),
        Row(.requested, .cancel, by: [.customer, .admin], to: .cancelled, .ends(.desk), .tells(.cancelled)),
        Row(
            .requested, .deskWindowOver, by: [.system], to: .expired,
            .ends(.desk), .because("nobody-found"), .tells(.expired)),
        Row(
            .requested, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.desk), .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let careOffered: [Row] = [
        Row(
            .offered, .accept, by: [.provider], to: .accepted,
            .ends(.assignment), .waits(.arrival), .tells(.accepted)),
        Row(
            .offered, .decline, by: [.provider], to: .requested,
            .ends(.assignment), .losesProvider, .waits(.desk), .tells(.reopened)),
        Row(
            .offered, .unassign, by: [.admin], to: .requested,
            .ends(.assignment), .losesProvider, .waits(.desk), .tells(.reopened)),
        Row(
            .offered, .assignmentWindowOver, by: [.system], to: .requested,
            .ends(.assignment), .losesProvider, .waits(.desk), .because("assignment-window-over"), .tells(.reopened)),
        Row(.offered, .askForTime, by: [.provider], to: .offered, .tells(.timeAsked)),
        Row(
            .offered, .reschedule, by: [.admin], to: .offered,
            .ends(.assignment), .waits(.assignment), .tells(.rescheduled)),
        Row(.offered, .cancel, by: [.customer, .admin], to: .cancelled, .ends(.assignment), .tells(.cancelled)),
        Row(
            .offered, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.assignment), .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let careConfirmed: [Row] = [
        Row(
            .accepted, .start, by: [.provider], to: .inProgress,
            .ends(.arrival), .waits(.completion), .tells(.started)),
        // The partner refuses at the door.
        Row(.accepted, .decline, by: [.provider], to: .refused, .ends(.arrival), .tells(.refused)),
        Row(
            .accepted, .giveUp, by: [.provider], to: .requested,
            .ends(.arrival), .losesProvider, .waits(.desk), .tells(.reopened)),
        Row(
            .accepted, .unassign, by: [.admin], to: .requested,
            .ends(.arrival), .losesProvider, .waits(.desk), .tells(.reopened)),
        Row(.accepted, .askForTime, by: [.provider], to: .accepted, .tells(.timeAsked)),
        Row(
            .accepted, .reschedule, by: [.admin], to: .accepted,
            .ends(.arrival), .waits(.arrival), .tells(.rescheduled)),
        Row(.accepted, .cancel, by: [.customer, .admin], to: .cancelled, .ends(.arrival), .tells(.cancelled)),
        Row(
            .accepted, .report, by: OrderActor.parties, to: .disputed,
            .ends(.arrival), .waits(.decision), .tells(.disputed)),
        Row(
            .accepted, .arrivalWindowOver, by: [.system], to: .cancelled,
            .ends(.arrival), .because("no-show"), .tells(.cancelled)),
        Row(
            .accepted, .missProvider, by: [.customer], to: .cancelled,
            .ends(.arrival), .because("no-show"), .tells(.cancelled)),
        Row(
            .accepted, .missCustomer, by: [.provider], to: .cancelled,
            .ends(.arrival), .because("customer-no-show"), .tells(.cancelled)),
        Row(
            .accepted, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.arrival), .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let careUnderWay: [Row] = [
        Row(.inProgress, .complete, by: [.provider], to: .completed, .ends(.completion), .tells(.completed)),
        Row(
            .inProgress, .report, by: OrderActor.parties, to: .disputed,
            .ends(.completion), .waits(.decision), .tells(.disputed)),
        Row(
            .inProgress, .completionWindowOver, by: [.system], to: .disputed,
            .ends(.completion), .waits(.decision), .reports("not-finished"), .tells(.disputed)),
        Row(
            .inProgress, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.completion), .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let careBans: [Row] =
        [
            customerBan(in: .pending, ending: .payment), customerBan(in: .requested, ending: .desk),
            customerBan(in: .offered, ending: .assignment),
            providerBan(in: .offered, ending: .assignment, reopeningFor: .desk),
            customerBan(in: .accepted, ending: .arrival),
            providerBan(in: .accepted, ending: .arrival, reopeningFor: .desk),
        ] + banRowsInProgress(.inProgress, ending: .completion)
}
