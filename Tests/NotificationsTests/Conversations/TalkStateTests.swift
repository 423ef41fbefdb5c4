import Contracts
import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("N4: when parties may write", .timeLimit(.minutes(15)))
struct TalkStateTests {
    @Test(
        "N4: assef's parties have no conversation before on the way; it closes some time after the end and can be read")
    func assef() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample(start: Date().addingTimeInterval(-3_600))
                let scene = TalkScene(world: world, process: process, sample: sample, conversation: "")
                try await world.publish(sample.requested())
                try await world.publish(sample.accepted())
                try await world.settle()
                #expect(try await scene.talks(of: sample.customer).isEmpty)
                let open = try await TalkScene.make(world, process, sample)
                #expect(try await open.say("On my way", by: sample.provider).status == 200)
                // The market's setting decides; changed while it runs.
                try await world.publish(
                    OrderCompleted(order: sample.snapshot(.completed, version: 8, by: .customer)))
                try await world.settle()
                #expect(try await open.say("You left your bag", by: sample.customer).status == 200)
                #expect(try await open.talk(sample.customer)["closesAt"] is String)
                try await world.publish(
                    SettingChanged(
                        market: "assef", key: "talkAfterSeconds", value: "60", version: 2, by: .timeOrdered(),
                        at: Date()))
                try await world.settle()
                try await eventually("it is closed") {
                    try await open.talk(sample.customer)["open"] as? Bool == false
                }
                let refused = try await open.say("Too late", by: sample.customer)
                #expect(try refused.status == 409 && refused.slug == "conversation-closed")
                #expect(try await open.messages(sample.provider).count == 2)
            }
        }
    }

    @Test("N4: the nurse who lost the order cannot write any more, and the next one has a conversation of her own")
    func lost() async throws {
        try await TalkScene.run { scene in
            let sample = scene.sample
            try await scene.say("I am late", by: sample.provider)
            let next = UUID.timeOrdered()
            try await scene.world.publish(
                OrderEnRoute(
                    order: sample.snapshot(.enRoute, version: 6, by: .system) {
                        $0.provider = .init(account: next, name: "Hala")
                    }))
            try await scene.world.settle()
            #expect(try await scene.say("Wait", by: sample.provider).status == 409)
            let talks = try await scene.talks(of: sample.customer)
            #expect(talks.count == 2)
            #expect(
                talks.filter { $0["open"] as? Bool == true }.compactMap {
                    ($0["with"] as? [String: Any])?["name"] as? String
                } == ["Hala"])
            let token = try await scene.token(next, "provider")
            let foreign = try await scene.process.request(
                "GET", "\(TalkScene.path)/\(scene.conversation)/messages", token: token)
            #expect(foreign.status == 404)
        }
    }

    @Test("N4: a meal has three conversations; that of customer and restaurant ends when the meal has left")
    func meal() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let (sample, restaurant) = (Sample(start: Date()), UUID.timeOrdered())
                func order(_ state: OrderSnapshot.State, _ version: Int) -> OrderSnapshot {
                    sample.snapshot(state, version: version, by: .merchant) {
                        $0.market = "btnc"
                        $0.kind = "food"
                        $0.payment = .init(method: "card", state: .held)
                        $0.shares = [.init(party: .merchant, account: restaurant, name: "Perth Kebab", amount: 1_000)]
                        if state == .requested || state == .preparing { $0.provider = nil }
                    }
                }
                func open(_ account: UUID, _ role: String) async throws -> Set<String> {
                    let answer = try await process.request(
                        "GET", "\(TalkScene.path)?order=\(sample.order.text)",
                        token: try await TalkScene(world: world, process: process, sample: sample, conversation: "")
                            .token(account, role, market: "btnc"))
                    let items = try answer.json["items"] as? [[String: Any]] ?? []
                    return Set(
                        items.filter { $0["open"] as? Bool == true }
                            .compactMap { ($0["with"] as? [String: Any])?["role"] as? String })
                }
                try await world.publish(OrderRequested(order: order(.requested, 2)))
                try await world.settle()
                #expect(try await open(sample.customer, "customer") == ["merchant"])
                try await world.publish(OrderAccepted(order: order(.accepted, 4), companion: nil))
                try await world.settle()
                #expect(try await open(sample.customer, "customer") == ["merchant", "provider"])
                #expect(try await open(restaurant, "provider") == ["customer", "provider"])
                #expect(try await open(sample.provider, "provider") == ["customer", "merchant"])
                try await world.publish(OrderStarted(order: order(.inProgress, 6)))
                try await world.settle()
                #expect(try await open(sample.customer, "customer") == ["provider"])
                #expect(try await open(restaurant, "provider") == ["provider"])
                try await world.publish(OrderCompleted(order: order(.completed, 7)))
                try await world.settle()
                #expect(try await open(restaurant, "provider") == ["provider"])
            }
        }
    }

    @Test("P8: a phone number is sent only after one was told what it means, once in a conversation")
    func contacts() async throws {
        try await TalkScene.run { scene in
            let (customer, provider) = (scene.sample.customer, scene.sample.provider)
            let warned = try await scene.say("Call ٠٥٠ ١٢٣ ٤٥٦٧", by: customer)
            #expect(try warned.status == 409 && warned.slug == "contact-in-message")
            #expect(try await scene.messages(provider).isEmpty)
            #expect(try await scene.say("Call ٠٥٠ ١٢٣ ٤٥٦٧", by: customer, anyway: true).status == 200)
            #expect(try await scene.say("or huda at example dot com", by: customer).status == 200)
            // The other one has not been told yet.
            #expect(try await scene.say("0501234567", by: provider).status == 409)
            #expect(try await scene.say("I have 2 hours, door 12", by: provider).status == 200)
        }
    }

    @Test("N4, P6: an older state that comes late opens nothing again; told again, a doubted order is as dispatch says")
    func late() async throws {
        try await TalkScene.run { scene in
            let sample = scene.sample
            let ended = sample.snapshot(.cancelled, version: 9, by: .admin) {
                $0.changedAt = Date().addingTimeInterval(-200_000)
            }
            try await scene.world.publish(OrderCancelled(order: ended))
            try await scene.world.publish(sample.changed(version: 5))
            try await scene.world.settle()
            #expect(try await scene.say("Hello", by: sample.customer).status == 409)
            try await scene.world.pool.execute(ResetTalkOrders())
            let running = sample.snapshot(.arrived, version: 4, by: .provider)
            try await scene.world.publish(
                OrdersTold(
                    range: ToldRange(after: nil, through: nil, readAt: Date()),
                    orders: [
                        .init(
                            order: running, companion: nil, acceptedAt: nil, arrivedAt: nil, endedAt: nil, ratings: [],
                            reports: [])
                    ]))
            try await scene.world.settle()
            #expect(try await scene.say("Hello", by: sample.customer).status == 200)
            try await scene.world.purgeTalk(at: Date().addingTimeInterval(5 * 366 * 86_400))
            #expect(try await scene.talks(of: sample.customer).isEmpty)
        }
    }
}
