extension Workflow {
    /// A restaurant cooks a meal and a courier delivers it.
    ///
    /// The restaurant is asked after the payment. Once it has accepted, the platform searches a courier who can be
    /// there when the meal is ready; while no courier has an offer, a waiting courier may also accept the order
    /// directly. The restaurant hands the meal over to the courier who knows the code. The courier reports the delivery
    /// and is free; the customer confirms, or the end of the confirmation window does.
    ///
    /// A courier may hold several orders of one restaurant, each a separate order, until the first of them has left it.
    ///
    /// If the customer is not at the door, the waiting time counts from when both were told that the courier is near;
    /// then the courier may report it and the order ends. The meal was cooked and delivered, therefore restaurant and
    /// courier are paid as after a hand-over, and nothing is refunded. The platform does not decide what happens to the
    /// food.
    ///
    /// Cancelling is free for the customer until the restaurant accepts. The restaurant may decline until a courier has
    /// accepted. From the restaurant's acceptance on somebody has to pay for the food: if no courier is found, or if
    /// nobody reports the outcome, an admin decides.
    static let food = Workflow(
        kind: "food", first: .pending, opening: [.waits(.payment), .tells(.pending)],
        rows: paidFirst(then: .accept, telling: [.tells(.requested)]) + foodAsked
            + searched(in: .preparing) + asked(orBackTo: .preparing) + foodCooked + foodOffered + foodFetched
            + foodAtRestaurant + foodBrought + underWay(reportedBy: OrderActor.mealParties) + foodBans + decided
            + settled)

    private static let foodAsked: [Row] = [
        Row(
            .requested, .accept, by: [.merchant], to: .preparing,
            .ends(.accept), .searches, .waits(.search), .tells(.preparing)),
        Row(.requested, .decline, by: [.merchant], to: .refused, .ends(.accept), .tells(.refused)),
        Row(.requested, .cancel, by: [.customer, .admin], to: .cancelled, .ends(.accept), .tells(.cancelled)),
        Row(
            .requested, .acceptWindowOver, by: [.system], to: .expired,
            .ends(.accept), .because("accept-window-over"), .tells(.expired)),
        Row(
            .requested, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.accept), .because("payment-lost"), .tells(.cancelled)),
    ]

    /// No courier has an offer.
    private static let foodCooked: [Row] = [
        Row(.preparing, .ready, by: [.merchant], when: .notYetReady, to: .preparing, .startsSearchNow, .tells(.ready)),
        Row(
            .preparing, .decline, by: [.merchant], to: .refused,
            .ends(.search), .endsSearch, .tells(.refused)),
        Row(
            .preparing, .cancel, by: [.admin], to: .cancelled,
            .ends(.search), .endsSearch, .tells(.cancelled)),
        Row(
            .preparing, .report, by: [.customer, .merchant], to: .disputed,
            .ends(.search), .endsSearch, .waits(.decision), .tells(.disputed)),
        // The restaurant may have cooked in vain, or not at all: an admin decides.
        Row(
            .preparing, .searchWindowOver, by: [.system], to: .disputed,
            .ends(.search), .endsSearch, .waits(.decision), .reports("nobody-found"), .tells(.disputed)),
        Row(
            .preparing, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.search), .endsSearch, .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let foodOffered: [Row] = [
        Row(.offered, .ready, by: [.merchant], when: .notYetReady, to: .offered, .startsSearchNow, .tells(.ready)),
        Row(
            .offered, .decline, by: [.merchant], to: .refused,
            .ends(.offer), .endsSearch, .freesProvider, .losesProvider, .tells(.refused)),
        Row(
            .offered, .cancel, by: [.admin], to: .cancelled,
            .ends(.offer), .endsSearch, .freesProvider, .losesProvider, .tells(.cancelled)),
        Row(
            .offered, .report, by: [.customer, .merchant], to: .disputed,
            .ends(.offer), .endsSearch, .freesProvider, .losesProvider, .waits(.decision), .tells(.disputed)),
        Row(
            .offered, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.offer), .endsSearch, .freesProvider, .losesProvider, .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let foodFetched: [Row] = [
        Row(
            .accepted, .arrive, by: [.provider], to: .arrived,
            .ends(.arrival), .waits(.completion), .tells(.arrived)),
        Row(.accepted, .ready, by: [.merchant], when: .notYetReady, to: .accepted, .startsSearchNow, .tells(.ready)),
        // The courier is there but has not reported the arrival.
        Row(
            .accepted, .start, by: [.merchant], to: .inProgress,
            .ends(.arrival), .waits(.completion), .handsOver, .tells(.started)),
        Row(
            .accepted, .giveUp, by: [.provider], to: .preparing,
            .ends(.arrival), .freesProvider, .losesProvider, .searches, .waits(.search), .because("given-up"),
            .tells(.reopened)),
        Row(
            .accepted, .arrivalWindowOver, by: [.system], to: .preparing,
            .ends(.arrival), .freesProvider, .losesProvider, .searches, .waits(.search), .because("not-picked-up"),
            .tells(.reopened)),
        Row(.accepted, .cancel, by: [.admin], to: .cancelled, .ends(.arrival), .freesProvider, .tells(.cancelled)),
        Row(
            .accepted, .report, by: OrderActor.mealParties, to: .disputed,
            .ends(.arrival), .freesProvider, .waits(.decision), .tells(.disputed)),
        Row(
            .accepted, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.arrival), .freesProvider, .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let foodAtRestaurant: [Row] = [
        Row(.arrived, .ready, by: [.merchant], when: .notYetReady, to: .arrived, .startsSearchNow, .tells(.ready)),
        Row(
            .arrived, .start, by: [.merchant], to: .inProgress,
            .ends(.completion), .waits(.completion), .handsOver, .tells(.started)),
        Row(
            .arrived, .giveUp, by: [.provider], to: .preparing,
            .ends(.completion), .freesProvider, .losesProvider, .searches, .waits(.search), .because("given-up"),
            .tells(.reopened)),
        Row(.arrived, .cancel, by: [.admin], to: .cancelled, .ends(.completion), .freesProvider, .tells(.cancelled)),
        Row(
            .arrived, .report, by: OrderActor.mealParties, to: .disputed,
            .ends(.completion), .freesProvider, .waits(.decision), .tells(.disputed)),
        Row(
            .arrived, .completionWindowOver, by: [.system], to: .disputed,
            .ends(.completion), .freesProvider, .waits(.decision), .reports("not-finished"), .tells(.disputed)),
        Row(
            .arrived, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.completion), .freesProvider, .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let foodBrought: [Row] = [
        Row(.inProgress, .comeNear, by: [.system], when: .notYetNear, to: .inProgress, .tells(.nearby)),
        // Frees the courier for the next order, whenever the customer confirms.
        Row(
            .inProgress, .complete, by: [.provider], when: .nobodyHasConfirmed, to: .inProgress,
            .ends(.completion), .waits(.confirmation), .freesProvider, .tells(.confirmed)),
        Row(
            .inProgress, .complete, by: [.customer], when: .otherHasConfirmed, to: .completed,
            .ends(.confirmation), .freesProvider, .tells(.completed)),
        Row(
            .inProgress, .missCustomer, by: [.provider], when: .nearAndUnconfirmed, to: .completed,
            .ends(.completion), .freesProvider, .because("customer-no-show"), .tells(.completed)),
    ]

    /// After a customer's ban an admin decides about the meal that is being cooked. A banned restaurant hands nothing
    /// over any more; a meal that has left it is still delivered and paid.
    private static let foodBans: [Row] =
        [
            customerBan(in: .pending, ending: .payment), customerBan(in: .requested, ending: .accept),
            mealFor(bannedIn: .preparing, ending: .search, .endsSearch),
            mealFor(bannedIn: .offered, ending: .offer, .endsSearch, .freesProvider, .losesProvider),
            mealFor(bannedIn: .accepted, ending: .arrival, .freesProvider),
            mealFor(bannedIn: .arrived, ending: .completion, .freesProvider),
            providerBan(
                in: .accepted, ending: .arrival, to: .preparing, reopeningFor: .search, .freesProvider, .searches),
            providerBan(
                in: .arrived, ending: .completion, to: .preparing, reopeningFor: .search, .freesProvider, .searches),
            merchantBan(in: .pending, ending: .payment), merchantBan(in: .requested, ending: .accept),
            merchantBan(in: .preparing, ending: .search, .endsSearch),
            merchantBan(in: .offered, ending: .offer, .endsSearch, .freesProvider, .losesProvider),
            merchantBan(in: .accepted, ending: .arrival, .freesProvider),
            merchantBan(in: .arrived, ending: .completion, .freesProvider),
        ]

    private static func mealFor(
        bannedIn state: OrderState, ending window: OrderWindow, _ effects: OrderEffect...
    ) -> Row {
        Row(
            state, .customerBanned, by: [.system], when: .always, to: .disputed,
            effects: [.ends(window)] + effects
                + [.waits(.decision), .reports(customerBanned, for: .merchant), .tells(.disputed)])
    }

    private static func merchantBan(in state: OrderState, ending window: OrderWindow, _ effects: OrderEffect...) -> Row
    {
        Row(
            state, .merchantBanned, by: [.system], when: .always, to: .cancelled,
            effects: [.ends(window)] + effects + [.because(merchantBanned), .tells(.cancelled)])
    }
}
