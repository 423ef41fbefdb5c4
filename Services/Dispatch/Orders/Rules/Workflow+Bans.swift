/// Effects of a party's ban on an order (I11).
///
/// Before the work has begun, a ban of the customer cancels the order. A ban of the provider reopens the order for
/// other providers, or cancels it where the customer had chosen this provider. Once the work has begun (the provider
/// has the parcel, or is in the house) the platform cannot undo it, so an admin decides. Disputed orders are decided as
/// without the ban.
extension Workflow {
    static let customerBanned = "customer-banned"
    static let providerBanned = "provider-banned"
    static let merchantBanned = "merchant-banned"

    /// Row for an order that has not begun: its customer is banned.
    static func customerBan(
        in state: OrderState, ending window: OrderWindow, when condition: Condition = .always,
        _ effects: OrderEffect...
    ) -> Row {
        Row(
            state, .customerBanned, by: [.system], when: condition, to: .cancelled,
            effects: [.ends(window)] + effects + [.because(customerBanned), .tells(.cancelled)])
    }

    /// Row for an order that has not begun, whose customer chose this provider: the order is cancelled.
    static func providerBan(in state: OrderState, ending window: OrderWindow, _ effects: OrderEffect...) -> Row {
        Row(
            state, .providerBanned, by: [.system], when: .always, to: .cancelled,
            effects: [.ends(window)] + effects + [.because(providerBanned), .tells(.cancelled)])
    }

    /// Row for an order that has not begun and that another provider may do: the order is open again.
    static func providerBan(
        in state: OrderState, ending window: OrderWindow, when condition: Condition = .always,
        to open: OrderState = .requested, reopeningFor next: OrderWindow, _ effects: OrderEffect...
    ) -> Row {
        Row(
            state, .providerBanned, by: [.system], when: condition, to: open,
            effects: [.ends(window), .losesProvider] + effects
                + [.waits(next), .because(providerBanned), .tells(.reopened)])
    }

    /// Row for an order that is only offered to the provider: the search goes on.
    static func providerBanWhileAsked(to open: OrderState) -> Row {
        Row(
            .offered, .providerBanned, by: [.system], to: open,
            .ends(.offer), .freesProvider, .losesProvider, .continuesSearch, .resumes(.search),
            .because(providerBanned),
            .tells(.passed))
    }

    /// Rows for an order that has begun: the banned party is reported in the other party's name.
    static func banRowsInProgress(
        _ state: OrderState, ending window: OrderWindow, when condition: Condition = .always,
        _ effects: OrderEffect...
    ) -> [Row] {
        let sides: [(OrderTrigger.Kind, String, OrderActor)] = [
            (.customerBanned, customerBanned, .provider), (.providerBanned, providerBanned, .customer),
        ]
        return sides.map { trigger, reason, author in
            Row(
                state, trigger, by: [.system], when: condition, to: .disputed,
                effects: [.ends(window), .waits(.decision)] + effects
                    + [.reports(reason, for: author), .tells(.disputed)])
        }
    }
}
