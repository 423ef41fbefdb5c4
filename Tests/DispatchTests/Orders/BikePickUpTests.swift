import Foundation
import Matching
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("C6: the workflow of a bike from a rack")
struct BikePickUpTests {
    static let tariff = Tariff(base: 100, perKilometre: 0, perMinute: 15, minimum: 300)

    private static func opened() -> Order {
        let ids = SequentialIDs(first: 80)
        let request = Order.Request(
            id: ids.next(), market: "btnc", customer: Order.Party(account: ids.next(), name: "Rita"), provider: nil,
            lines: [Order.Line(service: "bike", names: ["en": "City bike"], price: 3_700)], total: 3_700,
            currency: "AUD", place: Order.Place(latitude: -31.95, longitude: 115.86, description: "City"),
            particulars: .bike(Order.Bike(rack: ids.next(), bike: ids.next(), quote: nil, tariff: tariff)))
        return Order.opened(request, at: SampleOrder.start, windows: SampleOrder.windows, in: .bikePickUp).order
    }

    private static func apply(_ trigger: OrderTrigger, _ actor: OrderActor, to order: Order) throws -> OrderChange {
        try order.applying(
            trigger, by: actor, at: SampleOrder.start, windows: SampleOrder.windows, in: .bikePickUp)
    }

    private static func standing(_ name: String) throws -> Order {
        let paid: [(OrderTrigger, OrderActor)] = [(.paymentHeld(SampleParcel.news), .system)]
        let steps: [(OrderTrigger, OrderActor)] =
            switch name {
            case "pending": []
            case "accepted": paid
            case "inProgress": paid + [(.start, .system)]
            case "completed": paid + [(.start, .system), (.bringBack(cost: 500), .system)]
            case "cancelled": [(.cancel(reason: nil), .customer)]
            default: [(.windowOver(.payment), .system)]
            }
        var order = opened()
        for (trigger, actor) in steps { order = try apply(trigger, actor, to: order).order }
        return order
    }

    /// Everything that can happen to a hire, and what comes of it. All else is refused.
    static let table: [String: [String: OrderState]] = [
        "pending": [
            "paymentHeld system": .accepted, "cancel customer": .cancelled, "cancel admin": .cancelled,
            "paymentWindowOver system": .expired, "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled,
        ],
        "accepted": [
            "start system": .inProgress, "cancel customer": .cancelled, "cancel admin": .cancelled,
            "arrivalWindowOver system": .expired, "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled,
        ],
        "inProgress": [
            "bringBack system": .completed, "completionWindowOver system": .completed,
            "paymentReleased system": .inProgress,
        ],
        "completed": ["paymentCaptured system": .completed, "paymentReleased system": .completed],
        "cancelled": ["paymentReleased system": .cancelled],
        "expired": ["paymentReleased system": .expired],
    ]

    static let sample = WorkflowSample(
        workflow: .bikePickUp, table: table, standing: { try standing($0) }, mayEver: BikePickUpModel.mayEver,
        opened: { _ in (opened(), BikePickUpModel(at: SampleOrder.start)) },
        trigger: { _, _, generator in trigger(&generator) }, pause: 20,
        marks: .states([.pending, .accepted, .inProgress, .completed, .cancelled, .expired]))

    @Test("C6: a hire costs its time, at least the minimum, and never more than was held")
    func cost() throws {
        let hire = try #require(Self.opened().bike)
        #expect(hire.cost(seconds: 0) == 300 && hire.cost(seconds: 1_800) == 550 && hire.cost(seconds: 14_400) == 3_700)
        let out = try Self.standing("inProgress")
        #expect(try Self.apply(.bringBack(cost: 550), .system, to: out).order.total == 550)
        #expect(try Self.apply(.bringBack(cost: 9_000), .system, to: out).order.total == 3_700)
        let lost = try Self.apply(.windowOver(.completion), .system, to: out).order
        #expect(lost.total == 3_700 && lost.reason == "not-brought-back" && lost.paidTo == .platform)
        let json = try JSONEncoder().encode(Order.Particulars.bike(hire))
        #expect(try JSONDecoder().decode(Order.Particulars.self, from: json) == .bike(hire))
        // Kept before there was a tariff.
        let old = #"{"bike":{"rack":"\#(hire.rack.uuidString)"}}"#
        #expect(try JSONDecoder().decode(Order.Particulars.self, from: Data(old.utf8)) == .bike(.init(rack: hire.rack)))
    }

    private static func trigger(_ generator: inout SeededGenerator) -> OrderTrigger {
        let news = OrderTrigger.PaymentNews(method: "wallet", version: Int.random(in: 1...8, using: &generator))
        let cost = Int.random(in: 300...5_000, using: &generator)
        let all: [OrderTrigger] =
            [
                .paymentHeld(news), .paymentHeld(news), .start, .start, .start, .bringBack(cost: cost),
                .bringBack(cost: cost), .cancel(reason: nil), .paymentCaptured(news), .paymentReleased(news),
                .customerBanned, .providerBanned, .complete, .depositEnded(toCustomer: false), .accept(companion: nil),
                .report(SampleOrder.report, reason: "unsafe"),
            ] + OrderWindow.allCases.map { .windowOver($0) }
        return all.step(onward: 7, &generator)
    }
}
