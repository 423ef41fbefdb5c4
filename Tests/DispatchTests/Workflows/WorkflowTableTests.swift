import Foundation
import Testing

@testable import SeraiDispatch

/// The tables of all kinds, held against what the workflows do. What only one kind has is in its own suite.
@Suite("O1: tables of all workflows", .timeLimit(.minutes(15)))
struct WorkflowTableTests {
    struct Standing: Sendable, CustomTestStringConvertible {
        let sample: WorkflowSample
        let name: String
        var testDescription: String { "\(sample.workflow.kind): \(name)" }
    }

    static let standings = WorkflowSample.all.flatMap { sample in
        sample.table.keys.sorted().map { Standing(sample: sample, name: $0) }
    }

    @Test("O1: each kind has a sample, and its table a row for each state that orders come to")
    func complete() throws {
        #expect(WorkflowSample.all.map(\.workflow.kind).sorted() == Workflow.all.map(\.kind).sorted())
        for sample in WorkflowSample.all {
            let states = Set(try sample.table.keys.map { try sample.standing($0).state })
            #expect(Set(sample.table.values.flatMap(\.values)).subtracting(states) == [], "\(sample.workflow.kind)")
        }
    }

    @Test(
        "O1, O7, O8, O9, O10, O11, C6: wherever an order stands each trigger by each actor does what the table says, or is refused",
        arguments: standings)
    func everything(_ standing: Standing) throws {
        let sample = standing.sample
        let order = try sample.standing(standing.name)
        for trigger in SampleOrder.triggers {
            for actor in OrderActor.allCases {
                let key = "\(trigger.kind.rawValue) \(actor.rawValue)"
                let expected = sample.table[standing.name]?[key]
                do {
                    let next = try order.applying(
                        trigger, by: actor, at: sample.moment(trigger), windows: SampleOrder.windows,
                        in: sample.workflow
                    ).order
                    #expect(next.state == expected, "\(key)")
                    #expect(next.version == order.version + 1, "\(key)")
                    #expect(next.by == actor, "\(key)")
                } catch {
                    #expect(expected == nil, "\(key): \(error)")
                    let mayEver = sample.mayEver(trigger, actor)
                    #expect(error == (mayEver ? .wrongState(order.state) : .wrongActor), "\(key)")
                }
            }
        }
    }
}
