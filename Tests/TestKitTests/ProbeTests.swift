import Foundation
import TestKit
import Testing

@Suite("What tests are made with")
struct ProbeTests {
    @Test("the same seed gives the same numbers, and another one others")
    func seeds() {
        func numbers(_ seed: UInt64) -> [UInt64] {
            var generator = SeededGenerator(seed: seed)
            return (0..<100).map { _ in generator.next() }
        }
        #expect(numbers(7) == numbers(7))
        #expect(numbers(7) != numbers(8))
    }

    @Test("ids are given once each and in order")
    func ids() {
        let ids = SequentialIDs()
        let texts = (0..<1_000).map { _ in ids.next().uuidString }
        #expect(Set(texts).count == texts.count)
        #expect(texts == texts.sorted())
    }

    @Test("a fixed clock stands until it is moved")
    func clock() {
        let clock = FixedClock()
        let (start, instant) = (clock.now, clock.instant)
        #expect(clock.now == start)
        clock.advance(by: .seconds(90))
        #expect(clock.now == start + 90)
        #expect(clock.instant == instant + .seconds(90))
    }

    @Test("a probe asks again until the answer is yes")
    func probe() async throws {
        let ids = SequentialIDs()
        let third = SequentialIDs(first: 3).next()
        try await eventually("the third is there") { ids.next() == third }
    }

    @Test("an OpenAPI document without words, answers or ids says what it lacks")
    func document() throws {
        let yaml = """
            openapi: 3.1.0
            paths:
              /a/{id}:
                get: { operationId: one, summary: Gives one., responses: { "200": { description: It. } } }
                put: { operationId: one }
            """
        let document = try OpenAPIDocument(yaml: yaml)
        #expect(document.operations == ["GET /a/{id}", "PUT /a/{id}"])
        #expect(document.faults.count == 3)
        #expect(throws: OpenAPIDocument.ParseError.self) { try OpenAPIDocument(yaml: "openapi: 3.0.0\npaths: {}") }
    }
}
