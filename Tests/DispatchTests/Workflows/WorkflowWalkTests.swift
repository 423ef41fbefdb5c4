import Foundation
import TestKit
import Testing

@testable import SeraiDispatch

/// `SERAI_WALK_STEPS` makes it longer: `SERAI_WALK_STEPS=1000000`.
@Suite("O1: random walks of all workflows", .timeLimit(.minutes(15)))
struct WorkflowWalkTests {
    @Test(
        "O1, O2, O3, O7, O8, O9, O10, O11, C6, P3a: a random walk agrees with an independent model at every step",
        arguments: WorkflowSample.all)
    func walks(_ sample: WorkflowSample) throws {
        var generator = SeededGenerator()
        var coverage = WalkCoverage(sample.marks)
        while coverage.begins() {
            let opened = sample.opened(coverage.walks)
            guard try Self.walk(sample, opened.order, opened.model, &coverage, &generator) else { return }
        }
        #expect(coverage.missing.isEmpty, "\(generator)")
    }

    /// False if they differed.
    private static func walk<Model: WorkflowModel>(
        _ sample: WorkflowSample, _ first: Order, _ unchanged: Model, _ coverage: inout WalkCoverage,
        _ generator: inout SeededGenerator
    ) throws -> Bool {
        var order = first
        var model = unchanged
        var effects = SeenEffects()
        var now = SampleOrder.start
        for step in 0..<WalkCoverage.length {
            let trigger = sample.trigger(order, step, &generator)
            // Mostly somebody who can, so that walks get somewhere.
            let able = OrderActor.allCases.filter { Model.mayEver(trigger, $0) }
            let actors = Int.random(in: 0..<4, using: &generator) > 0 && !able.isEmpty ? able : OrderActor.allCases
            let actor = try #require(actors.randomElement(using: &generator))
            // Mostly some seconds, and now and then a day, so that windows end.
            now += .random(in: 0...(step % 12 == 11 ? 100_000 : sample.pause), using: &generator)
            now = sample.waits(trigger, order, now, &generator)
            let expected = model.happen(trigger, by: actor, at: now)
            var answer = WorkflowAnswer.done
            do {
                let change = try order.applying(
                    trigger, by: actor, at: now, windows: SampleOrder.windows, in: sample.workflow)
                order = change.order
                effects.saw(change.effects)
            } catch {
                answer = WorkflowAnswer(error, of: order)
            }
            coverage.saw(order)
            // One look for all, since a million of each take minutes.
            guard answer == expected, model.agrees(with: order, effects) else {
                Issue.record(
                    "\(trigger) by \(actor) in \(model): \(answer), expected \(expected); \(order), \(generator)")
                return false
            }
        }
        return true
    }
}
