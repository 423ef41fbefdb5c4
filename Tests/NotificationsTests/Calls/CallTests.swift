import Contracts
import Foundation
import Messaging
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("N4: the parties of an order call each other", .timeLimit(.minutes(15)))
struct CallTests {
    @Test("N4, P8: a call rings on all devices, is taken by one, and each browser gets what the other one said")
    func wholeCall() async throws {
        try await CallScene.run { scene in
            let hears = try await scene.talk.process.stream(scene.provider, after: 0)
            let hearsToo = try await scene.talk.process.stream(scene.provider, after: 0)
            let path = try await scene.ringing(by: scene.customer)
            for stream in [hears, hearsToo] {
                try await eventually("it rings") { stream.events("call").last?.text("state") == "ringing" }
            }
            #expect(hears.events("call").last?.text("conversation") == scene.talk.conversation)
            let listed = try await scene.get(CallScene.path, by: scene.provider).json["items"] as? [[String: Any]]
            #expect(listed?.first?["state"] as? String == "ringing" && listed?.first?["outgoing"] as? Bool == false)
            #expect((listed?.first?["with"] as? [String: Any])?["name"] as? String == "Salem")
            let described = try await scene.put(
                "\(path)/description", by: scene.customer, ["description": CallScene.offer])
            #expect(described.status == 200, "\(described.text)")
            // While it rings no device of the called one is told where the caller is.
            let waits = try await scene.get(path, by: scene.provider)
            #expect(try waits.json["description"] == nil && waits.json["here"] as? Bool == false)
            let taken = try await scene.put("\(path)/answered", by: scene.provider)
            #expect(try taken.json["state"] as? String == "taken" && taken.json["here"] as? Bool == true)
            #expect(try taken.json["description"] as? String == CallScene.offer)
            let answer = CallScene.offer + "a=answer\r\n"
            try await scene.put("\(path)/description", by: scene.provider, ["description": answer])
            // The first one counts.
            try await scene.put(
                "\(path)/description", by: scene.provider, ["description": CallScene.offer + "a=later\r\n"])
            let candidates = ["candidate:1 1 udp 2122 203.0.113.5 54321 typ relay", ""]
            for _ in 0..<2 {
                let added = try await scene.put(
                    "\(path)/candidates", by: scene.provider, ["first": 0, "candidates": candidates])
                #expect(added.status == 204, "\(added.text)")
            }
            let seen = try await scene.get(path, by: scene.customer)
            #expect(try seen.json["description"] as? String == answer)
            let found = try seen.json["candidates"] as? [[String: Any]]
            #expect(found?.map { $0["candidate"] as? String } == candidates)
            #expect(seen.headers.first(name: "Cache-Control") == "no-store")
            // The device that did not take it gets nothing of it.
            let aside = try await scene.get(path, by: scene.provider, on: scene.secondDevice)
            #expect(try aside.json["description"] == nil && (aside.json["candidates"] as? [Any])?.isEmpty == true)
            #expect(try await scene.storedSignals() == 3)
            #expect(try await scene.put("\(path)/ended", by: scene.provider).json["state"] as? String == "ended")
            #expect(try await scene.storedSignals() == 0)
            try await eventually("both hear the end") { hearsToo.events("call").last?.text("state") == "ended" }
            #expect(try await scene.get(CallScene.path, by: scene.customer).text.contains("[]"))
            #expect(try await scene.items(scene.provider, .callMissed).isEmpty)
            #expect(try await scene.items(scene.provider, .callRinging).isEmpty)
        }
    }

    @Test("N4, N1: a call that nobody answers is missed after the ring time, also when its process has died")
    func missed() async throws {
        try await CallScene.run { scene in
            let path = try await scene.ringing(by: scene.customer)
            let rings = try await scene.items(scene.provider, .callRinging)
            #expect(rings.map(\.subject) == ["Salem is calling"])
            #expect(rings.first?.order == scene.talk.sample.order)
            try await scene.sweep(after: 40)
            #expect(try await scene.state(path, by: scene.customer) == "ringing")
            try await scene.sweep(after: 46)
            #expect(try await scene.state(path, by: scene.customer) == "missed")
            #expect(try await scene.items(scene.provider, .callMissed).map(\.subject) == ["Missed call from Salem"])
            #expect(try await scene.items(scene.provider, .callRinging).isEmpty)
            #expect(try await scene.items(scene.customer, .callMissed).isEmpty)
            let late = try await scene.put("\(path)/answered", by: scene.provider)
            #expect(try late.status == 409 && late.slug == "call-over")
            // Whoever gives up while it rings has called, too.
            let second = try await scene.ringing(by: scene.provider)
            #expect(try await scene.put("\(second)/ended", by: scene.provider).json["state"] as? String == "missed")
            #expect(try await scene.items(scene.customer, .callMissed).map(\.subject) == ["Missed call from نورة"])
            #expect(try await scene.put("\(second)/ended", by: scene.provider).status == 200)
            #expect(try await scene.items(scene.customer, .callMissed).count == 1)
        }
    }

    @Test("N4: a declined call is over for both, and is not missed; the caller cannot answer or decline it")
    func declined() async throws {
        try await CallScene.run { scene in
            let path = try await scene.ringing(by: scene.customer)
            for act in ["answered", "declined"] {
                #expect(try await scene.put("\(path)/\(act)", by: scene.customer).status == 404)
            }
            let declined = try await scene.put("\(path)/declined", by: scene.provider, on: scene.secondDevice)
            #expect(try declined.json["state"] as? String == "declined")
            #expect(try await scene.state(path, by: scene.customer) == "declined")
            #expect(try await scene.items(scene.provider, .callMissed).isEmpty)
            #expect(try await scene.ringing(by: scene.customer) != path)
        }
    }

    @Test("N4: whoever was not answered five times in ten minutes calls no more, and is called all the same")
    func tooOften() async throws {
        try await CallScene.run { scene in
            for number in 1...5 {
                let path = try await scene.ringing(by: scene.customer)
                let (act, by) = number.isMultiple(of: 2) ? ("declined", scene.provider) : ("ended", scene.customer)
                #expect(try await scene.put("\(path)/\(act)", by: by).status == 200)
            }
            let refused = try await scene.start(by: scene.customer)
            #expect(try refused.status == 429 && refused.slug == "call-too-often", "\(refused.text)")
            #expect(refused.headers.first(name: "Retry-After") == "600")
            let other = try await scene.ringing(by: scene.provider)
            #expect(try await scene.put("\(other)/answered", by: scene.customer).status == 200)
        }
    }

    @Test("N4: of a taken call one side of which falls silent nothing is left after a minute")
    func silence() async throws {
        try await CallScene.run { scene in
            let path = try await scene.taken()
            try await scene.sweep(after: 50)
            #expect(try await scene.state(path, by: scene.customer) == "taken")
            #expect(try await scene.put("\(path)/alive", by: scene.customer).status == 200)
            let aside = try await scene.put("\(path)/alive", by: scene.provider, on: scene.secondDevice)
            #expect(try aside.status == 409 && aside.slug == "call-taken")
            try await scene.sweep(after: 61)
            #expect(try await scene.state(path, by: scene.customer) == "ended")
            #expect(try await scene.put("\(path)/alive", by: scene.customer).slug == "call-over")
            try await scene.sweep(after: CallSweep.keepSeconds + 120)
            #expect(try await scene.get(path, by: scene.customer).status == 404)
        }
    }

    @Test("N4: whoever is in a call is busy for a third one, and calls nobody else")
    func busy() async throws {
        try await CallScene.run { scene in
            _ = try await scene.taken()
            let other = Sample(provider: scene.provider, start: Date())
            let theirs = CallScene(talk: try await .make(scene.talk.world, scene.talk.process, other))
            let busy = try await theirs.start(by: other.customer)
            #expect(try busy.status == 409 && busy.slug == "call-busy")
            let inCall = try await theirs.start(by: other.provider)
            #expect(try inCall.status == 409 && inCall.slug == "call-running")
            let again = try await scene.start(by: scene.customer)
            #expect(try again.status == 409 && again.slug == "call-running")
            #expect(try await theirs.get(CallScene.path, by: other.customer).text.contains("[]"))
        }
    }

    @Test("N4: a call that is begun again by its id is the same one, and its id serves nobody else")
    func repeated() async throws {
        try await CallScene.run { scene in
            let id = UUID.timeOrdered()
            let first = try await scene.start(by: scene.customer, as: id)
            #expect(try await scene.start(by: scene.customer, as: id).text == first.text)
            try await scene.put("\(CallScene.path)/\(id.text)/ended", by: scene.customer)
            #expect(try await scene.start(by: scene.customer, as: id).json["state"] as? String == "missed")
            let taken = try await scene.start(by: scene.provider, as: id)
            #expect(try taken.status == 409 && taken.slug == "call-id-taken")
        }
    }

    @Test("N4, P4: a call ends with what its order allows, and none begins then")
    func orderEnds() async throws {
        try await CallScene.run { scene in
            let path = try await scene.taken()
            let (sample, world) = (scene.talk.sample, scene.talk.world)
            let next = UUID.timeOrdered()
            try await world.publish(
                OrderEnRoute(
                    order: sample.snapshot(.enRoute, version: 6, by: .system) {
                        $0.provider = .init(account: next, name: "Hala")
                    }))
            try await world.settle()
            try await eventually("the call is closed") {
                try await scene.state(path, by: scene.customer) == "closed"
            }
            let refused = try await scene.start(by: scene.customer)
            #expect(try refused.status == 409 && refused.slug == "call-closed")
        }
    }

    @Test(
        "I11, I12: the call of somebody who is banned ends; of a deleted account no call is left",
        arguments: [true, false])
    func leaves(isBanned: Bool) async throws {
        try await CallScene.run { scene in
            let before = try await scene.ringing(by: scene.customer)
            try await scene.put("\(before)/ended", by: scene.customer)
            let path = try await scene.taken()
            let world = scene.talk.world
            if isBanned {
                try await world.publish(
                    AccountBanned(
                        account: scene.provider, market: "assef", reason: "rude", until: nil, by: .timeOrdered(),
                        version: 2, at: Date()))
            } else {
                try await world.publish(AccountDeleted(account: scene.provider, version: 6, at: Date()))
            }
            try await world.settle()
            try await eventually("the call is closed") {
                try await scene.state(path, by: scene.customer) == "closed"
            }
            #expect(try await scene.get(before, by: scene.customer).status == (isBanned ? 200 : 404))
        }
    }
}
