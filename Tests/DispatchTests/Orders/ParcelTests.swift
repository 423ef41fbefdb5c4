import Foundation
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O11: the workflow of a parcel")
struct ParcelTests {
    /// Everything that can happen to a parcel, and what comes of it. All else is refused.
    static let table: [String: [String: OrderState]] = [
        "pending": [
            "paymentHeld system": .requested, "cancel customer": .cancelled, "cancel admin": .cancelled,
            "paymentWindowOver system": .expired, "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled,
        ],
        "requested": [
            "take provider": .accepted, "cancel customer": .cancelled, "cancel admin": .cancelled,
            "searchWindowOver system": .expired, "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled,
        ],
        "requested with deposit": [
            "take provider": .accepted, "cancel customer": .cancelled, "cancel admin": .cancelled,
            "searchWindowOver system": .expired, "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled,
        ],
        "awaited": [
            "depositLocked system": .accepted, "depositRefused system": .requested,
            "depositWindowOver system": .requested, "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled, "providerBanned system": .requested,
        ],
        "locked": [
            "giveUp provider": .arrived, "arrivalWindowOver system": .arrived, "start customer": .inProgress,
            "start provider": .arrived, "missProvider customer": .requested,
            "report customer": .disputed, "report provider": .disputed, "paymentReleased system": .disputed,
            "customerBanned system": .disputed, "providerBanned system": .disputed,
        ],
        "accepted": [
            "giveUp provider": .requested, "arrivalWindowOver system": .arrived, "start customer": .inProgress,
            "start provider": .arrived, "missProvider customer": .requested,
            "report customer": .disputed, "report provider": .disputed, "paymentReleased system": .disputed,
            "customerBanned system": .disputed, "providerBanned system": .disputed,
        ],
        "said": [
            "giveUp customer": .requested,
            "start customer": .inProgress, "missProvider customer": .requested,
            "confirmationWindowOver system": .disputed, "report customer": .disputed, "report provider": .disputed,
            "paymentReleased system": .disputed, "customerBanned system": .disputed, "providerBanned system": .disputed,
        ],
        "silent": [
            "giveUp customer": .requested,
            "start customer": .inProgress, "missProvider customer": .requested,
            "confirmationWindowOver system": .disputed,
            "report customer": .disputed, "report provider": .disputed,
            "paymentReleased system": .disputed, "customerBanned system": .disputed, "providerBanned system": .disputed,
        ],
        "given up": [
            "giveUp customer": .requested,
            "start customer": .inProgress, "missProvider customer": .requested,
            "confirmationWindowOver system": .disputed,
            "report customer": .disputed, "report provider": .disputed,
            "paymentReleased system": .disputed, "customerBanned system": .disputed, "providerBanned system": .disputed,
        ],
        "travelling": [
            "complete customer": .completed, "complete provider": .inProgress, "report customer": .disputed,
            "report provider": .disputed, "completionWindowOver system": .disputed,
            "paymentReleased system": .disputed,
            "customerBanned system": .disputed, "providerBanned system": .disputed,
        ],
        "half": [
            "complete customer": .completed, "confirmationWindowOver system": .completed, "report customer": .disputed,
            "report provider": .disputed, "paymentReleased system": .disputed,
            "customerBanned system": .disputed, "providerBanned system": .disputed,
        ],
        "completed": ["paymentCaptured system": .completed, "paymentReleased system": .completed],
        "cancelled": ["paymentReleased system": .cancelled],
        "expired": ["paymentReleased system": .expired],
        "disputed": [
            "decideForProvider admin": .completed, "decideForCustomer admin": .cancelled,
            "decisionWindowOver system": .disputed, "paymentCaptured system": .disputed,
            "paymentReleased system": .disputed, "depositEnded system": .disputed,
        ],
    ]

    static let sample = WorkflowSample(
        workflow: .parcel, table: table, standing: { try SampleParcel.standing($0) }, mayEver: ParcelModel.mayEver,
        // A carrier is waited for a quarter of an hour.
        moment: { $0.kind == .missProvider ? SampleOrder.later : SampleParcel.start },
        opened: { walk in
            let hasDeposit = walk.isMultiple(of: 2)
            return (SampleParcel.opened(deposit: hasDeposit ? 9_000 : nil), ParcelModel(hasDeposit: hasDeposit))
        },
        trigger: { order, _, generator in trigger(order, &generator) }, pause: 10,
        marks: .states([
            .pending, .requested, .accepted, .inProgress, .disputed, .completed, .cancelled, .expired,
        ]))

    @Test("O11: taking it makes the carrier its provider, and giving it up leaves nobody; the deposit goes with it")
    func carriers() throws {
        let taken = try SampleParcel.standing("awaited")
        #expect(taken.provider == SampleOrder.other)
        #expect(taken.deposit == Order.Deposit(amount: 9_000, state: .awaited, orderVersion: 3))
        let change = try taken.applying(
            .depositRefused(orderVersion: 3), by: .system, at: SampleParcel.start, windows: SampleOrder.windows,
            in: .parcel)
        #expect(change.order.provider == nil && change.former == SampleOrder.other)
        #expect(change.order.deposit == Order.Deposit(amount: 9_000))
        #expect(change.order.reason == "deposit-refused")
        // Deposits that come to nothing keep no parcel on the board for longer than it would have been.
        let late = SampleParcel.start.addingTimeInterval(50)
        let refused = try taken.applying(
            .depositRefused(orderVersion: 3), by: .system, at: late, windows: SampleOrder.windows, in: .parcel)
        #expect(refused.order.deadline == SampleParcel.start.addingTimeInterval(604_800))
        #expect(refused.effects.contains(.resumes(.search)))
        #expect(throws: OrderRefusal.outdated) {
            try taken.applying(
                .depositLocked(orderVersion: 2), by: .system, at: SampleParcel.start, windows: SampleOrder.windows,
                in: .parcel)
        }
    }

    @Test("O11, P3a: what is never said to be delivered comes before an admin, as a report in the owner's name")
    func loss() throws {
        let lost = try SampleParcel.standing("travelling").applying(
            .windowOver(.completion), by: .system, at: SampleParcel.start, windows: SampleOrder.windows, in: .parcel)
        #expect(lost.order.report == lost.order.id && lost.order.reason == "not-delivered")
        #expect(lost.effects.contains(.reports("not-delivered")))
    }

    @Test(
        "O11: what the owner forgets, and what a carrier with the parcel in hand says, never gives the deposit back; an admin decides",
        arguments: ["said", "silent", "given up"])
    func forgottenPickUp(_ standing: String) throws {
        let order = try SampleParcel.standing(standing)
        #expect(order.state == .arrived && order.provider == SampleOrder.other && order.deposit?.state == .locked)
        let change = try order.applying(
            .windowOver(.confirmation), by: .system, at: try #require(order.deadline), windows: SampleOrder.windows,
            in: .parcel)
        #expect(change.order.state == .disputed && change.order.reason == "pickup-unconfirmed")
        #expect(change.order.report == order.id)
        #expect(change.order.provider == SampleOrder.other && change.order.deposit?.state == .locked)
    }

    @Test("O11: what only a parcel has is the same after it was kept")
    func kept() throws {
        let order = SampleParcel.opened(deposit: nil)
        let particulars = try #require(order.particulars)
        let json = try JSONEncoder().encode(particulars)
        #expect(String(decoding: json, as: UTF8.self).hasPrefix(#"{"parcel":"#))
        #expect(try JSONDecoder().decode(Order.Particulars.self, from: json) == particulars)
    }

    private static func trigger(_ order: Order, _ generator: inout SeededGenerator) -> OrderTrigger {
        let news = OrderTrigger.PaymentNews(method: "wallet", version: Int.random(in: 1...8, using: &generator))
        let version = Bool.random(using: &generator) ? order.deposit?.orderVersion ?? 1 : 1
        let decision = Order.Verdict.Decision.allCases.randomElement(using: &generator) ?? .split
        let all: [OrderTrigger] =
            [
                .paymentHeld(news), .paymentHeld(news), .take(SampleOrder.other), .take(SampleOrder.other),
                .depositLocked(orderVersion: version), .depositLocked(orderVersion: version),
                .depositRefused(orderVersion: version), .start, .start, .complete, .complete, .cancel(reason: nil),
                .giveUp(reason: nil), .report(SampleOrder.report, reason: "damaged"),
                .decide(SampleOrder.verdict(decision)), .paymentCaptured(news), .paymentReleased(news),
                .depositEnded(toCustomer: true), .arrive, .accept(companion: nil), .customerBanned, .providerBanned,
            ] + OrderWindow.allCases.map { .windowOver($0) }
        return all.step(onward: 11, &generator)
    }
}
