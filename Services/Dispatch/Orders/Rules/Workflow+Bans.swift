/// What a ban of a party does to an order (I11). Who is banned is nobody's partner any more.
///
/// As long as nothing has begun, nothing is kept: what the customer of it was to get is cancelled, and what its provider was to
/// do is somebody else's, or cancelled where the customer had chosen just this one. What has begun - somebody has the parcel, or
/// is in the house - cannot be undone by us, so an admin decides. What was reported already is decided as it would have been.
extension Workflow {
    static let customerBanned = "customer-banned"
    static let providerBanned = "provider-banned"
    static let merchantBanned = "merchant-banned"

    /// Of an order that has not begun.
    static func customerBan(
        in state: OrderState, ending window: OrderWindow, when condition: Condition = .always,
        _ effects: OrderEffect...
    ) -> Row {
        Row(
            state, .customerBanned, by: [.system], when: condition, to: .cancelled,
            effects: [.ends(window)] + effects + [.because(customerBanned), .tells(.cancelled)])
    }

    /// Of an order that has not begun and that its customer wanted of nobody else.
    static func providerBan(in state: OrderState, ending window: OrderWindow, _ effects: OrderEffect...) -> Row {
        Row(
            state, .providerBanned, by: [.system], when: .always, to: .cancelled,
            effects: [.ends(window)] + effects + [.because(providerBanned), .tells(.cancelled)])
    }

    /// Of an order that has not begun and that somebody else may do.
    static func providerBan(
        in state: OrderState, ending window: OrderWindow, when condition: Condition = .always,
        to open: OrderState = .requested, reopeningFor next: OrderWindow, _ effects: OrderEffect...
    ) -> Row {
        Row(
            state, .providerBanned, by: [.system], when: condition, to: open,
            effects: [.ends(window), .losesProvider] + effects
                + [.waits(next), .because(providerBanned), .tells(.reopened)])
    }

    /// Of an order whose provider is only asked: the search goes on.
    static func providerBanWhileAsked(to open: OrderState) -> Row {
        Row(
            .offered, .providerBanned, by: [.system], to: open,
            .ends(.offer), .freesProvider, .losesProvider, .searchesOn, .resumes(.search), .because(providerBanned),
            .tells(.passed))
    }

    /// Of an order that has begun: who is banned is reported in the other's name.
    static func bansAmid(
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
