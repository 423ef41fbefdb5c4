import Contracts
import Foundation
import Messaging

/// What an order's owners know after some of its events, as they would tell it again.
struct Owners {
    private(set) var order: OrdersTold.Told?
    private(set) var payment: PaymentsTold.Told?

    mutating func hear(_ event: any Message) {
        switch event {
        case let event as any OrderEvent: change(event)
        case let event as RatingGiven:
            order?.ratings.append(
                OrdersTold.Rating(
                    from: event.from, to: event.to, by: event.by, stars: event.stars, serviceStars: event.serviceStars,
                    comment: event.comment, at: event.at))
        case let event as PaymentHeld:
            change(event.payment)
            if payment?.heldAt == nil { payment?.heldAt = event.at }
        case let event as PaymentRefused: change(event.payment)
        case let event as PaymentCaptured:
            change(event.payment)
            payment?.capturedAt = event.at
            payment?.providerShare = event.providerShare
            payment?.platformShare = event.platformShare
        case let event as PaymentReleased:
            change(event.payment)
            payment?.releasedAt = event.at
        default: break
        }
    }

    private mutating func change(_ event: some OrderEvent) {
        let snapshot = event.order
        order =
            order
            ?? OrdersTold.Told(
                order: snapshot, companion: nil, acceptedAt: nil, arrivedAt: nil, endedAt: nil, ratings: [], reports: []
            )
        order?.order = snapshot
        if let accepted = event as? OrderAccepted {
            order?.companion = accepted.companion
            order?.acceptedAt = snapshot.changedAt
        }
        if snapshot.state.isFinal, order?.endedAt == nil { order?.endedAt = snapshot.changedAt }
    }

    private mutating func change(_ snapshot: PaymentSnapshot) {
        payment =
            payment
            ?? PaymentsTold.Told(
                payment: snapshot, heldAt: nil, capturedAt: nil, releasedAt: nil, providerShare: nil, platformShare: nil
            )
        payment?.payment = snapshot
    }
}

/// Several orders of several people, and how far each has come when it is told again.
struct ToldTown {
    var stories: [Story] = []
    let people: [AccountSnapshot]

    init(_ count: Int) {
        let names = ["Faisal", "Omar", "نورة", "Lina"]
        let accounts = names.map { account(name: $0) }
        people = accounts
        func party(_ number: Int) -> OrderSnapshot.Party {
            OrderSnapshot.Party(account: accounts[number].account, name: accounts[number].name)
        }
        for number in 0..<count {
            var story = Story()
            story.customer = party(number % 2)
            story.provider = party(2 + number / 2 % 2)
            story.amount = 10_000 + 500 * number
            stories.append(story)
        }
    }

    var accountsTold: AccountsTold {
        AccountsTold(
            range: ToldRange(after: nil, through: nil, readAt: Date()),
            accounts: people.map { AccountsTold.Told(account: $0, registeredAt: stories[0].requestedAt, bans: []) })
    }

    /// - Parameter steps: how many events of each order its owners know.
    func told(_ steps: (Int) -> Int, readAt: Date = Date()) -> (OrdersTold, PaymentsTold) {
        let owners = stories.enumerated().map { number, story in
            var owners = Owners()
            for event in story.events.prefix(steps(number)) { owners.hear(event) }
            return owners
        }
        let range = ToldRange(after: nil, through: nil, readAt: readAt)
        return (
            OrdersTold(range: range, orders: owners.compactMap(\.order)),
            PaymentsTold(range: range, payments: owners.compactMap(\.payment))
        )
    }

    func events(_ story: Story) -> [(UUID, any Message)] { story.events.map { (UUID.timeOrdered(), $0) } }
}
