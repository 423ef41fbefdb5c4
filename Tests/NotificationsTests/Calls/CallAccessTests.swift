import Contracts
import Foundation
import Messaging
import NIOHTTP1
import ServiceKit
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("Q7: who may do what with a call", .timeLimit(.minutes(15)))
struct CallAccessTests {
    private static var signals: [(String, [String: Any])] {
        [
            ("answered", [:]), ("declined", [:]), ("ended", [:]), ("alive", [:]),
            ("description", ["description": CallScene.offer]), ("candidates", ["first": 0, "candidates": [""]]),
        ]
    }

    @Test("Q7, N4: to others a call does not exist, and without a token there is nothing")
    func wrongCallers() async throws {
        try await CallScene.run { scene in
            let path = try await scene.ringing(by: scene.customer)
            let device = UUID().uuidString
            let start = "\(TalkScene.path)/\(scene.talk.conversation)/calls/\(UUID().uuidString)"
            var requests = Self.signals.map { act, more in
                ("PUT", "\(path)/\(act)", more.merging(["device": device]) { $1 } as [String: Any]?)
            }
            requests += [
                ("GET", path, nil), ("GET", "\(path)/relay?device=\(device)", nil), ("PUT", start, ["device": device]),
            ]
            let strangers = try await [
                scene.talk.token(.timeOrdered()), scene.talk.token(.timeOrdered(), "provider"), scene.talk.admin(),
                scene.talk.admin("btnc"), scene.talk.token(.timeOrdered(), "admin", market: "*"),
            ]
            for (method, path, json) in requests {
                let body = try json.map {
                    String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self)
                }
                for token in [nil, "nonsense"] {
                    let answer = try await scene.talk.process.request(method, path, token: token, body: body)
                    #expect(answer.status == 401, "\(method) \(path)")
                }
                for token in strangers {
                    let answer = try await scene.talk.process.request(method, path, token: token, body: body)
                    #expect(answer.status == 404, "\(method) \(path) \(answer.text)")
                }
            }
            #expect(try await scene.talk.process.request("GET", CallScene.path, token: nil).status == 401)
            for token in strangers {
                let list = try await scene.talk.process.request("GET", CallScene.path, token: token)
                #expect(try (list.json["items"] as? [Any])?.isEmpty == true)
            }
            #expect(try await scene.state(path, by: scene.customer) == "ringing")
        }
    }

    @Test("I11: who has no role in the market any more calls nobody and answers nothing, but can hang up")
    func withoutRole() async throws {
        try await CallScene.run { scene in
            let body = #"{"device": "\#(scene.providerDevice.text)"}"#
            let token = try await scene.talk.token(scene.provider, nil)
            func put(_ path: String) async throws -> Int {
                try await scene.talk.process.request("PUT", path, token: token, body: body).status
            }
            let start = "\(TalkScene.path)/\(scene.talk.conversation)/calls/\(UUID().uuidString)"
            #expect(try await put(start) == 403)
            let path = try await scene.ringing(by: scene.customer)
            #expect(try await put("\(path)/answered") == 403)
            #expect(try await put("\(path)/declined") == 200)
        }
    }

    @Test("N4: an inquiry is no order, so nobody is called about it")
    func inquiry() async throws {
        try await CallScene.run { scene in
            let asked = try await scene.talk.process.request(
                "POST", "/notifications/v1/inquiries", token: try await scene.talk.token(of: scene.customer),
                headers: [("Idempotency-Key", UUID().uuidString)],
                body: #"{"market": "assef", "as": "customer", "title": "A question", "content": "Where are you?"}"#)
            #expect(asked.status == 201, "\(asked.text)")
            let inquiry = try #require(try asked.json["inquiry"] as? String)
            let answer = try await scene.put(
                "\(TalkScene.path)/\(inquiry)/calls/\(UUID().uuidString)", by: scene.customer)
            #expect(answer.status == 404)
        }
    }

    @Test("P8, N4: the relay's credentials are for the two devices that talk, as long as they do, and name nobody")
    func relay() async throws {
        try await CallScene.run { scene in
            let path = try await scene.ringing(by: scene.customer)
            let own = try await scene.get("\(path)/relay", by: scene.customer)
            let server = try #require((try own.json["servers"] as? [[String: Any]])?.first)
            #expect((server["urls"] as? [String])?.count == 2)
            let name = try #require(server["username"] as? String)
            #expect(!name.lowercased().contains(scene.customer.text.prefix(8)))
            let expiry = try #require(Double(name.prefix { $0 != ":" }))
            #expect(abs(expiry - Date().timeIntervalSince1970 - CallRelay.lifetimeSeconds) < 300)
            #expect(own.headers.first(name: "Cache-Control") == "no-store")
            #expect(try await scene.get("\(path)/relay", by: scene.provider).status == 409)
            try await scene.put("\(path)/answered", by: scene.provider)
            let other = try await scene.get("\(path)/relay", by: scene.provider)
            #expect(other.status == 200 && !other.text.contains(name))
            #expect(try await scene.get("\(path)/relay", by: scene.provider, on: scene.secondDevice).status == 409)
            try await scene.put("\(path)/ended", by: scene.customer)
            let over = try await scene.get("\(path)/relay", by: scene.customer)
            #expect(try over.status == 409 && over.slug == "call-over")
        }
    }

    @Test("N4: signals have one form and a size, and a party has few candidates")
    func bounds() async throws {
        try await CallScene.run { scene in
            let path = try await scene.ringing(by: scene.customer)
            let long = CallScene.offer + String(repeating: "a=b\r\n", count: 2_000)
            for text in ["hello", "", long, CallScene.offer + "m=video 9 UDP/TLS/RTP/SAVPF 96\r\n"] {
                let answer = try await scene.put("\(path)/description", by: scene.customer, ["description": text])
                #expect(answer.status == 422, "\(answer.text)")
            }
            let candidate = "candidate:1 1 udp 2122 203.0.113.5 54321 typ relay"
            let wrong: [[String: Any]] = [
                ["first": 0, "candidates": []], ["first": 0, "candidates": ["hello"]],
                ["first": 60, "candidates": [""]],
                ["first": 59, "candidates": [candidate, ""]],
                ["first": 0, "candidates": Array(repeating: candidate, count: 21)],
                ["first": 0, "candidates": ["candidate:" + String(repeating: "1", count: 500)]],
            ]
            for more in wrong {
                let answer = try await scene.put("\(path)/candidates", by: scene.customer, more)
                #expect(answer.status == 422, "\(more) \(answer.text)")
            }
            #expect(try await scene.storedSignals() == 0)
            // The called one says nothing before a device of theirs has taken the call.
            let early = try await scene.put("\(path)/description", by: scene.provider, ["description": CallScene.offer])
            #expect(try early.status == 409 && early.slug == "call-taken")
        }
    }

    @Test("N4: whoever calls again and again is stopped")
    func rate() async throws {
        try await CallScene.run { scene in
            var statuses: [Int] = []
            for _ in 0..<(CallRoutes.startRate.burst + 2) {
                statuses.append(try await scene.start(by: scene.customer).status)
            }
            #expect(statuses.first == 200 && statuses.last == 429)
        }
    }
}
