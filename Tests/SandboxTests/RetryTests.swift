import Foundation
import TestKit
import Testing

@testable import Sandbox

@Suite("Repeated requests at the sandbox's provider", .timeLimit(.minutes(15)))
struct RetryTests {
    @Test("W6: the same key and parameters, many at once, make one payment and get one answer")
    func sameKey() async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            let form = ProviderClient.payment(try await client.method("4242424242424242"))
            let answers = try await withThrowingTaskGroup(of: ProviderClient.Answer<ProviderClient.Intent>.self) {
                for _ in 0..<20 {
                    $0.addTask { try await client.post("/v1/payment_intents", form, key: "order-1") }
                }
                return try await $0.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(answers.map(\.data)).count == 1)
            #expect(answers.count { !$0.isRepeated } == 1)
            #expect(sandbox.totals["sar"]?.payments == 1)
        }
    }

    @Test("W6: the same key with other parameters or on another path is refused")
    func reusedKey() async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            var form = ProviderClient.payment(try await client.method("4242424242424242"))
            let intent = try await client.post("/v1/payment_intents", form, key: "k").body
            form["amount"] = "1"
            for path in ["/v1/payment_intents", "/v1/payment_intents/\(intent.id)/capture"] {
                let answer = try await client.post(path, form, key: "k")
                #expect(answer.status == 400)
                #expect(try answer.failure.type == "idempotency_error")
            }
            #expect(sandbox.totals["sar"]?.payments == 1)
        }
    }

    @Test("W4: a declined payment is declined again under its key")
    func declinedAgain() async throws {
        try await SandboxServer.withServer { _, url async throws in
            let client = ProviderClient(url: url)
            let form = ProviderClient.payment(try await client.method("4000000000000002"))
            let first = try await client.post("/v1/payment_intents", form, key: "k")
            let second = try await client.post("/v1/payment_intents", form, key: "k")
            #expect(first.status == 402)
            #expect(second.status == 402)
            #expect(second.isRepeated)
            #expect(first.data == second.data)
        }
    }

    @Test(
        "W4: an answer that was lost is there under its key, and the payment was made once",
        arguments: ["4000000000007777", "4000000000007775"])
    func lostAnswer(number: String) async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            let form = ProviderClient.payment(try await client.method(number))
            await #expect(throws: (any Error).self) {
                try await client.post("/v1/payment_intents", form, key: "k")
            }
            #expect(sandbox.totals["sar"]?.authorised == 12_500)
            let repeated = try await client.post("/v1/payment_intents", form, key: "k")
            #expect(repeated.isRepeated)
            #expect(try repeated.body.status == "requires_capture")
            #expect(sandbox.totals["sar"]?.payments == 1)
        }
    }

    @Test(
        "W4: a provider that is down answers 503, keeps nothing, and takes the same key when it is back",
        arguments: ["4000000000006666", "4000000000006660"])
    func down(number: String) async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            let dead = ProviderClient.payment(try await client.method(number))
            for _ in 0..<2 { #expect(try await client.post("/v1/payment_intents", dead, key: "dead").status == 503) }
            let form = ProviderClient.payment(try await client.method("4242424242424242"))
            #expect(try await client.json("PUT", "/sandbox/provider", #"{"isDown": true}"#).status == 204)
            #expect(try await client.post("/v1/payment_intents", form, key: "k").status == 503)
            #expect(try await client.json("PUT", "/sandbox/provider", #"{"isDown": false}"#).status == 204)
            #expect(try await client.post("/v1/payment_intents", form, key: "k").status == 200)
            #expect(sandbox.totals["sar"]?.payments == 1)
        }
    }
    @Test(
        "W4: a fault inside is kept under its key, whether the payment was made or not; another key gets past it",
        arguments: [("4000000000005001", 0), ("4000000000005019", 1)])
    func faultInside(number: String, made: Int) async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            let form = ProviderClient.payment(try await client.method(number))
            for _ in 0..<2 { #expect(try await client.post("/v1/payment_intents", form, key: "k").status == 500) }
            #expect(sandbox.totals["sar"]?.payments ?? 0 == made)
        }
    }

    @Test(
        "W4: faults inside of captures and refunds are kept, too, and another key finds what has happened",
        arguments: [("4000000000005027", 200), ("4000000000005035", 400)])
    func laterFaults(number: String, again: Int) async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            let form = ProviderClient.payment(try await client.method(number))
            let id = try await client.post("/v1/payment_intents", form, key: "k").body.id
            for (path, form) in [
                ("/v1/payment_intents/\(id)/capture", [:]), ("/v1/refunds", ["payment_intent": id]),
            ] as [(String, [String: String])] {
                for _ in 0..<2 { #expect(try await client.post(path, form, key: path).status == 500) }
                #expect(try await client.post(path, form, key: "\(path)-1").status == again)
            }
            #expect(sandbox.totals["sar"]?.captured == 12_500 && sandbox.totals["sar"]?.refunded == 12_500)
        }
    }
}
