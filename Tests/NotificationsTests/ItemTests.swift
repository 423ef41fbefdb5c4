import Contracts
import Foundation
import Messaging
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("Inbox items", .timeLimit(.minutes(15)))
struct ItemTests {
    /// An event of an order or its payment, and who gets which item of it.
    struct Case: Sendable {
        let name: String
        let publish: @Sendable (World, Sample) async throws -> Void
        var customer: [InboxTopic] = []
        var provider: [InboxTopic] = []
    }

    static func ending(
        _ state: OrderSnapshot.State, by: OrderSnapshot.Actor, reason: String? = nil
    ) -> @Sendable (Sample) -> OrderSnapshot {
        { sample in sample.snapshot(state, version: 5, by: by) { $0.reason = reason } }
    }

    /// The customer has asked the provider.
    static func link(
        _ sample: Sample, _ kind: LinkConfirmed.Kind, _ step: LinkMoved.Step, by actor: UUID
    ) -> LinkMoved {
        LinkMoved(
            link: .timeOrdered(), kind: kind, market: kind == .family ? "edencare" : nil,
            from: .init(account: sample.customer, name: "Olivia"), to: .init(account: sample.provider, name: "Ada"),
            step: step, by: actor, at: sample.start)
    }

    static func refusal(_ reason: String) -> @Sendable (World, Sample) async throws -> Void {
        { world, sample in
            try await world.publish(
                PaymentRefused(
                    payment: sample.paymentSnapshot(.due, version: 2, method: nil), method: .card, reason: reason,
                    at: sample.start))
        }
    }

    static func captured(_ method: PaymentSnapshot.Method) -> @Sendable (World, Sample) async throws -> Void {
        { world, sample in
            try await world.publish(
                PaymentCaptured(
                    payment: sample.paymentSnapshot(.captured, version: 4, method: method),
                    providerShare: Money(amount: 12_792, currency: "SAR"),
                    platformShare: Money(amount: 2_258, currency: "SAR"), at: sample.start))
        }
    }

    static let others: [Case] = [
        Case(
            name: "rated by the customer",
            publish: { world, sample in
                try await world.publish(
                    RatingGiven(
                        order: sample.order, market: "assef", from: sample.customer, to: sample.provider, by: .customer,
                        stars: 2, serviceStars: 3, comment: "late", at: sample.start))
            }, provider: [.rated]),
        Case(
            name: "payment held",
            publish: { world, sample in
                try await world.publish(
                    PaymentHeld(payment: sample.paymentSnapshot(.held, version: 3), at: sample.start))
            }),
        Case(name: "card declined", publish: refusal("card-declined"), customer: [.paymentCardDeclined]),
        Case(name: "no funds", publish: refusal("insufficient-funds"), customer: [.paymentInsufficientFunds]),
        Case(name: "card expired", publish: refusal("card-expired"), customer: [.paymentCardExpired]),
        Case(name: "no payment provider", publish: refusal("provider-down"), customer: [.paymentProviderDown]),
        Case(name: "not confirmed", publish: refusal("authentication-failed"), customer: [.paymentNotConfirmed]),
        Case(name: "owner wanted", publish: refusal("authentication-required"), customer: [.paymentNeedsOwner]),
        Case(name: "promo code lost", publish: refusal("promo-code-lost"), customer: [.paymentPromoCodeLost]),
        Case(name: "given up", publish: refusal("abandoned")),
        Case(
            name: "its customer is asked",
            publish: { world, sample in
                let payment = sample.paymentSnapshot(.authorising, version: 3, method: .payPal)
                try await world.publish(PaymentActionRequired(payment: payment, at: sample.start))
            }),
        Case(
            name: "card expires",
            publish: { world, sample in
                try await world.publish(
                    CardExpiring(
                        card: .timeOrdered(), account: sample.customer, brand: "visa", lastFour: "4242",
                        expiryMonth: 7, expiryYear: 2039, at: sample.start))
            }, customer: [.cardExpiring]),
        Case(
            name: "card has expired",
            publish: { world, sample in
                try await world.publish(
                    CardExpired(
                        card: .timeOrdered(), account: sample.customer, brand: "visa", lastFour: "4242",
                        expiryMonth: 7, expiryYear: 2039, at: sample.start))
            }, customer: [.cardExpired]),
        Case(name: "refused for a new reason", publish: refusal("moon-phase"), customer: [.paymentRefused]),
        Case(name: "captured", publish: captured(.card), provider: [.paymentEarned]),
        Case(name: "captured by an employed provider, all of it the platform's") { world, sample in
            try await world.publish(
                PaymentCaptured(
                    payment: sample.paymentSnapshot(.captured, version: 4, method: .wallet),
                    providerShare: Money(amount: 0, currency: "SAR"),
                    platformShare: Money(amount: 15_050, currency: "SAR"), at: sample.start))
        },
        Case(name: "captured from cash", publish: captured(.cash), provider: [.paymentEarnedInCash]),
        Case(
            name: "released",
            publish: { world, sample in
                let payment = sample.paymentSnapshot(.released, version: 4)
                try await world.publish(PaymentReleased(payment: payment, at: sample.start))
            }, customer: [.paymentReleased]),
        Case(
            name: "released to the wallet",
            publish: { world, sample in
                let payment = sample.paymentSnapshot(.released, version: 4)
                try await world.publish(PaymentReleased(payment: payment, at: sample.start, toWallet: true))
            }, customer: [.paymentReleasedToWallet]),
        Case(
            name: "cash released",
            publish: { world, sample in
                let payment = sample.paymentSnapshot(.released, version: 4, method: .cash)
                try await world.publish(PaymentReleased(payment: payment, at: sample.start))
            }),
        Case(
            name: "topped up",
            publish: { world, sample in
                try await world.publish(
                    TopUpCompleted(
                        topUp: .timeOrdered(), account: sample.customer, market: "assef",
                        amount: Money(amount: 5_000, currency: "SAR"), at: sample.start))
            }, customer: [.walletToppedUp]),
        Case(
            name: "verified",
            publish: { world, sample in
                try await world.publish(
                    ProviderVerified(
                        account: sample.person(sample.provider, language: "ar", version: 2), market: "assef",
                        by: .timeOrdered(), at: sample.start))
            }, provider: [.providerVerified]),
        Case(
            name: "rejected",
            publish: { world, sample in
                try await world.publish(
                    ProviderRejected(
                        account: sample.person(sample.provider, language: "ar", version: 2), market: "assef",
                        reason: "The licence has expired", by: .timeOrdered(), at: sample.start))
            }, provider: [.providerRejected]),
        Case(
            name: "nobody is assigned yet",
            publish: { world, sample in
                let order = sample.snapshot(.requested, version: 3, by: .system) { order in
                    (order.market, order.kind, order.provider) = ("edencare", "homeCare", nil)
                }
                try await world.publish(OrderNobodyYet(order: order, at: sample.start))
            }, customer: [.orderNobodyYet]),
        Case(
            name: "somebody asks to be a friend",
            publish: { world, sample in try await world.publish(link(sample, .friend, .asked, by: sample.customer)) },
            provider: [.linkAskedByFriend]),
        Case(
            name: "somebody asks to be family",
            publish: { world, sample in try await world.publish(link(sample, .family, .asked, by: sample.customer)) },
            provider: [.linkAskedByFamily]),
        Case(
            name: "a relative agrees",
            publish: { world, sample in try await world.publish(link(sample, .family, .agreed, by: sample.provider)) },
            customer: [.linkAgreed]),
        Case(
            name: "a friend agrees",
            publish: { world, sample in try await world.publish(link(sample, .friend, .confirmed, by: sample.provider))
            }, customer: [.linkConfirmedFriend]),
        Case(
            name: "an admin approves a family",
            publish: { world, sample in try await world.publish(link(sample, .family, .confirmed, by: .timeOrdered()))
            }, customer: [.linkConfirmedFamily], provider: [.linkConfirmedFamily]),
        Case(
            name: "the person who was asked says no",
            publish: { world, sample in try await world.publish(link(sample, .friend, .withdrawn, by: sample.provider))
            }, customer: [.linkDeclined]),
        Case(
            name: "the person who asked takes it back",
            publish: { world, sample in try await world.publish(link(sample, .friend, .withdrawn, by: sample.customer))
            }),
        Case(
            name: "an admin refuses a family",
            publish: { world, sample in try await world.publish(link(sample, .family, .withdrawn, by: .timeOrdered()))
            }, customer: [.linkDeclinedByAdmin]),
        Case(
            name: "one of the two ends it",
            publish: { world, sample in try await world.publish(link(sample, .family, .removed, by: sample.customer)) },
            provider: [.linkRemoved]),
        Case(
            name: "an admin ends it",
            publish: { world, sample in try await world.publish(link(sample, .family, .removed, by: .timeOrdered())) },
            customer: [.linkRemovedByAdmin], provider: [.linkRemovedByAdmin]),
        Case(
            name: "an appointment comes near",
            publish: { world, sample in
                let order = sample.snapshot(.accepted, version: 3, by: .provider) { order in
                    (order.market, order.kind) = ("edencare", "homeCare")
                    order.scheduledAt = sample.start + 3_600
                }
                try await world.publish(AppointmentNear(order: order, at: sample.start))
            }, customer: [.appointmentForCustomer], provider: [.appointmentForProvider]),
        Case(
            name: "a job title is questioned",
            publish: { world, sample in
                try await world.publish(
                    TitleQuestioned(account: sample.customer, market: "assef", isDeclined: false, at: sample.start))
            }, customer: [.titleQuestioned]),
        Case(
            name: "a job title is none",
            publish: { world, sample in
                try await world.publish(
                    TitleQuestioned(account: sample.customer, market: "assef", isDeclined: true, at: sample.start))
            }, customer: [.titleDeclined]),
        Case(
            name: "switched on without a subscription",
            publish: { world, sample in
                try await world.publish(
                    ProviderUnseen(
                        account: sample.provider, market: "assef", reason: "not-subscribed", at: sample.start))
            }, provider: [.providerNotSubscribed]),
        Case(
            name: "document rejected",
            publish: { world, sample in
                try await world.publish(
                    DocumentDecided(
                        account: sample.provider, market: "assef", kind: "licence", document: .timeOrdered(),
                        isVerified: false, reason: "It cannot be read", by: .timeOrdered(), at: sample.start))
            }, provider: [.documentRejected]),
        Case(
            name: "deletion refused",
            publish: { world, sample in
                try await world.publish(
                    DeletionRefused(
                        deletion: .timeOrdered(), account: sample.customer, version: 2, obstacles: [.openOrder],
                        orders: [], at: sample.start))
            }, customer: [.deletionRefused]),
    ]

    @Test("N1: each event makes the right items for each party, in the party's language")
    func everyEvent() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let all =
                    Self.orders + Self.others + Self.ofGroups + Self.wallets + Self.moneyOut + Self.errands + Self.ends
                    + Self.searched + Self.bans
                let cases = all.map { ($0, Sample()) }
                for (one, sample) in cases {
                    try await world.publish(sample.registered(sample.customer, language: "en"))
                    try await world.publish(sample.registered(sample.provider, language: "ar"))
                    try await one.publish(world, sample)
                }
                try await world.settle()
                for (one, sample) in cases {
                    let (customer, provider) = (
                        try await process.inbox(sample.customer), try await process.inbox(sample.provider)
                    )
                    #expect(customer.map(\.topic) == one.customer.map(\.rawValue), "\(one.name), customer")
                    #expect(provider.map(\.topic) == one.provider.map(\.rawValue), "\(one.name), provider")
                    for item in customer + provider {
                        #expect(!item.subject.isEmpty && !item.content.isEmpty, "\(one.name)")
                        #expect(!(item.subject + item.content).contains("{"), "\(one.name)")
                        #expect(!item.read)
                        let isOfOrder = [
                            "order.", "hire.", "payment.", "deposit.", "fine.charged", "fine.received", "wallet.money-",
                        ]
                        .contains { item.topic.hasPrefix($0) }
                        #expect(item.order == (isOfOrder ? sample.order : nil), "\(one.name)")
                    }
                    for item in customer { #expect(!Self.hasArabicWords(item.content, beside: "نورة"), "\(item)") }
                    for item in provider { #expect(Self.hasArabicWords(item.content, beside: "نورة"), "\(item)") }
                }
            }
        }
    }

    private static func hasArabicWords(_ text: String, beside name: String) -> Bool {
        text.replacing(name, with: "").unicodeScalars.contains { (0x0600...0x06ff).contains($0.value) }
    }

    @Test("N1: the same message twice makes one item and one event; a late nearby makes none")
    func repeats() async throws {
        try await World.run { world in
            let sample = Sample()
            let stream = try await world.withProcess { process in
                let stream = try await process.stream(sample.customer)
                let id = UUID.timeOrdered()
                for _ in 0..<3 { try await world.publish(sample.accepted(), id: id) }
                try await world.publish(OrderArrived(order: sample.snapshot(.arrived, version: 4, by: .provider)))
                try await world.settle()
                try await world.publish(OrderNearby(order: sample.enRoute().order, metresLeft: 480, secondsLeft: 100))
                // Late, but it says what a customer should know of; its state is not told again.
                try await world.publish(sample.enRoute())
                try await world.settle()
                let topics = try await process.inbox(sample.customer).map(\.topic)
                #expect(topics == ["order.arrived", "order.on-the-way", "order.accepted"])
                try await eventually("the last item has come") { stream.events("inbox").count == 3 }
                return stream
            }
            #expect(stream.events("order").map { $0.number("version") } == [2, 4])
            #expect(
                stream.events("inbox").map { $0.text("topic") } == [
                    "order.accepted", "order.arrived", "order.on-the-way",
                ])
            #expect(stream.numbers == Array(1...5))
        }
    }

    @Test("N1: a message that cannot be read is a dead letter and holds up nobody")
    func poison() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                try await world.publish(sample.requested())
                try await world.settle()
                #expect(try await process.inbox(sample.provider).count == 1)
                try await world.publishRaw("{}", name: "dispatch.order.accepted.v1")
                try await world.publish(sample.accepted())
                try await world.settle()
                #expect(try await process.inbox(sample.customer).count == 1)
                try await eventually("it is a dead letter") {
                    try await DeadMessages.waiting(in: world.pool) == 1
                }
            }
        }
    }
}
