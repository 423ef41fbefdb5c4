import Contracts
import Foundation
import Messaging
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

@Suite("N1: what admins may do with what waits")
struct AdminItemCaseTests {
    private let one = UUID.timeOrdered()
    private let two = UUID.timeOrdered()

    @Test("N1: one admin takes a thing, another one is refused until it is given back, and any admin may give it back")
    func take() throws {
        let taken = try AdminItemCase(state: .waiting).after(.take, by: one)
        #expect(taken == AdminItemCase(state: .taken, takenBy: one))
        #expect(try taken.after(.take, by: one) == taken)
        #expect(throws: AdminItemCase.Refusal.taken) { try taken.after(.take, by: two) }
        #expect(throws: AdminItemCase.Refusal.taken) { try taken.after(.finish, by: two) }
        #expect(try taken.after(.release, by: two) == AdminItemCase(state: .waiting))
    }

    @Test("N1: what is done waits again at an admin's word; what is settled does not")
    func done() throws {
        let done = try AdminItemCase(state: .waiting).after(.finish, by: one)
        #expect(done == AdminItemCase(state: .done, takenBy: one))
        #expect(try done.after(.finish, by: two) == done)
        #expect(throws: AdminItemCase.Refusal.ended) { try done.after(.take, by: two) }
        #expect(try done.after(.reopen, by: two) == AdminItemCase(state: .waiting))
        let settled = AdminItemCase(state: .settled, takenBy: one)
        for act in [AdminItemCase.Act.take, .release, .finish, .reopen] {
            #expect(throws: AdminItemCase.Refusal.ended) { try settled.after(act, by: one) }
        }
    }

    @Test("N1, A1: nobody takes what is about himself or herself")
    func ownMatter() {
        let own = AdminItemCase(state: .waiting, person: one)
        for act in [AdminItemCase.Act.take, .finish] {
            #expect(throws: AdminItemCase.Refusal.ownMatter) { try own.after(act, by: one) }
        }
    }

    @Test("N1, O7: a visit waits at the desk until it is sent, and another time until it is set or the visit goes on")
    func desk() {
        let sample = Sample()
        func visit(_ state: OrderSnapshot.State, _ version: Int) -> OrderSnapshot {
            sample.snapshot(state, version: version, by: .customer) {
                ($0.market, $0.kind, $0.provider) = ("edencare", "homeCare", nil)
            }
        }
        func facts(_ event: any OrderEvent) -> [String] {
            OrderAdminFacts.of(event, nil).map { "\($0.kind.rawValue) \($0.isOpen) \($0.mark)" }
        }
        #expect(facts(OrderRequested(order: visit(.requested, 2))) == ["visit true 2", "time false 2"])
        #expect(facts(OrderOffered(order: visit(.offered, 3))) == ["visit false 3", "time false 3"])
        #expect(
            facts(OrderTimeAsked(order: visit(.accepted, 5), time: sample.start)) == ["visit false 5", "time true 5"])
        // That it was paid, or accepted, says nothing of the time.
        #expect(facts(OrderPaymentChanged(order: visit(.accepted, 6))) == ["visit false 6"])
        #expect(facts(OrderRescheduled(order: visit(.accepted, 7))) == ["visit false 7", "time false 7"])
        let late = OrderAdminFacts.of(OrderNobodyYet(order: visit(.requested, 2), at: sample.start), nil)
        #expect(late.map(\.isUrgent) == [true] && late.map(\.reopens) == [true])
        // Rides, meals and parcels have no desk.
        #expect(facts(sample.requested()).isEmpty)
    }

    @Test("N1: every kind has its words in both languages, and its kind stands in the document")
    func words() throws {
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in NotificationsService.catalogues { try catalogue.add(language, json: json) }
        let document = String(decoding: PackageResources.openapi_yaml, as: UTF8.self)
        for kind in AdminItemKind.allCases {
            for language in [Language.english, .arabic] {
                for isUrgent in [false, true] {
                    #expect(catalogue.keys(language).contains(kind.textKey(isUrgent: isUrgent)), "\(kind)")
                }
            }
            #expect(document.contains(", \(kind.rawValue)") || document.contains("[\(kind.rawValue)"), "\(kind)")
        }
    }

    @Test("N1: the signal of a change names its markets, and nothing else is taken for one")
    func signal() {
        let signal = WaitingSignal(markets: ["btnc", "assef"])
        #expect(signal.payload == "waiting assef btnc")
        #expect(WaitingSignal(signal.payload) == signal)
        #expect(WaitingSignal("waiting") == nil && WaitingSignal("typing x y z") == nil)
        #expect(StreamNotification(signal.payload)?.accounts.isEmpty != false)
    }
}
