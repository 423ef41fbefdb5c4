import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("X10: codes that start a ride", .timeLimit(.minutes(15)))
struct StartCodeTests {
    private func with(_ body: @escaping @Sendable (RideScene) async throws -> Void) async throws {
        try await OrderServer.with { server in try await body(try await RideScene(server)) }
    }

    @Test("O8, X10: a start code can be tried ten times, by the ride's driver alone")
    func tries() async throws {
        try await with { scene in
            try await scene.world.set(.startCodeRequired, to: "true")
            let order = try await scene.ride()
            try await scene.world.round()
            for action in ["accept", "arrive"] { _ = try await scene.server.act(action, order, as: scene.driver) }
            let stranger = try await scene.server.person(
                try await scene.world.driver(), roles: ["provider"], in: "btnc")
            for _ in 0..<12 {
                #expect(try await scene.server.act("start", order, as: stranger, #"{"code": "0"}"#).status == 404)
            }
            for _ in 0..<10 {
                #expect(try await scene.server.act("start", order, as: scene.driver, #"{"code": "0"}"#).status == 422)
            }
            let code = try #require(try await scene.get(order, as: scene.rider)["ride"]?["startCode"]?.text)
            let late = try await scene.server.act("start", order, as: scene.driver, #"{"code": "\#(code)"}"#)
            #expect(late.problem == "too-many-tries")
        }
    }

    @Test("O8, X10: a request that is repeated with its key is one try, and after the start it is answered as before")
    func repeatedTries() async throws {
        try await with { scene in
            try await scene.world.set(.startCodeRequired, to: "true")
            let order = try await scene.ride()
            try await scene.world.round()
            for action in ["accept", "arrive"] { _ = try await scene.server.act(action, order, as: scene.driver) }
            func start(_ code: String, key: String) async throws -> Answer {
                try await scene.server.post(
                    scene.server.path(order, "start"), as: scene.driver, #"{"code": "\#(code)"}"#, key: key)
            }
            for _ in 0..<30 { #expect(try await start("0", key: "one-request").status == 422) }
            // Other words with the same key are another try: nine in all.
            for code in 1...8 { #expect(try await start("\(code)", key: "one-request").status == 422) }
            let code = try #require(try await scene.get(order, as: scene.rider)["ride"]?["startCode"]?.text)
            #expect(try await start(code, key: "the-right-one")["state"]?.text == "inProgress")
            for _ in 0..<3 {
                let again = try await start(code, key: "the-right-one")
                #expect(again.status == 200 && again["state"]?.text == "inProgress")
            }
            #expect(try await start("0", key: "the-right-one").problem == "idempotency-key-reused")
        }
    }
}
