import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("N4, P6: calls of several at once", .timeLimit(.minutes(15)))
struct CallRaceTests {
    private static let rounds = 10

    /// Runs with two processes of the service, and an order for each round: nobody is called too often.
    private func run(_ body: (CallScene, NotificationsProcess) async throws -> Void) async throws {
        try await World.run { world in
            try await world.withProcess(CallScene.turn) { first in
                try await world.withProcess(CallScene.turn) { second in
                    for _ in 0..<Self.rounds {
                        let talk = try await TalkScene.make(world, first, Sample(start: Date()))
                        try await body(CallScene(talk: talk), second)
                    }
                    #expect(try await world.pool.first(CountCalls())?.running == 0)
                }
            }
        }
    }

    @Test("N4, P6: of two devices that answer at once, on two processes, one takes the call")
    func twoDevices() async throws {
        try await run { scene, second in
            let path = try await scene.ringing(by: scene.customer)
            async let one = scene.put("\(path)/answered", by: scene.provider)
            async let two = scene.put(
                "\(path)/answered", by: scene.provider, on: scene.secondDevice, process: second)
            let answers = try await [one, two]
            #expect(answers.map(\.status).sorted() == [200, 409])
            let taker = answers[0].status == 200 ? scene.providerDevice : scene.secondDevice
            #expect(try await scene.get(path, by: scene.provider, on: taker).json["here"] as? Bool == true)
            // The one that took it may say so again.
            #expect(try await scene.put("\(path)/answered", by: scene.provider, on: taker).status == 200)
            try await scene.put("\(path)/ended", by: scene.customer)
        }
    }

    @Test("N4, P6: a call that is answered while its caller hangs up is either missed, or taken and then ended")
    func hangUpWhileAnswering() async throws {
        try await run { scene, second in
            let path = try await scene.ringing(by: scene.customer)
            async let answered = scene.put("\(path)/answered", by: scene.provider, process: second)
            async let hungUp = scene.put("\(path)/ended", by: scene.customer)
            let (answer, end) = try await (answered, hungUp)
            let state = try await scene.state(path, by: scene.provider)
            #expect(end.status == 200)
            if answer.status == 200 {
                #expect(state == "ended")
                #expect(try await scene.items(scene.provider, .callMissed).isEmpty)
            } else {
                #expect(try answer.slug == "call-over" && state == "missed")
                #expect(try await scene.items(scene.provider, .callMissed).count == 1)
            }
            #expect(try await scene.items(scene.provider, .callRinging).isEmpty)
        }
    }

    @Test("N4, P6: two who call each other at once are in one call, each on the device that called")
    func eachOther() async throws {
        try await run { scene, second in
            async let one = scene.start(by: scene.customer)
            async let two = scene.start(by: scene.provider, process: second)
            let answers = try await [one, two]
            #expect(answers.map(\.status) == [200, 200], "\(answers.map(\.text))")
            let calls = Set(try answers.compactMap { try $0.json["call"] as? String })
            let call = try #require(calls.first)
            #expect(calls.count == 1)
            let path = "\(CallScene.path)/\(call)"
            for account in [scene.customer, scene.provider] {
                let seen = try await scene.get(path, by: account).json
                #expect(seen["state"] as? String == "taken" && seen["here"] as? Bool == true)
            }
            try await scene.put("\(path)/ended", by: scene.provider)
        }
    }

    @Test("N4, P6: a call that several processes sweep at once is missed once")
    func sweeps() async throws {
        try await run { scene, _ in
            let path = try await scene.ringing(by: scene.customer)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { try await scene.sweep(after: 50) } }
                try await group.waitForAll()
            }
            #expect(try await scene.state(path, by: scene.customer) == "missed")
            #expect(try await scene.items(scene.provider, .callMissed).count == 1)
        }
    }
}
