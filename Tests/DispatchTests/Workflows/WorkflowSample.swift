import Foundation
import TestKit
import Testing

@testable import SeraiDispatch

/// One kind of order for the suites of all kinds: its table, the ways to all that it can be in, and its model.
struct WorkflowSample: Sendable, CustomTestStringConvertible {
    let workflow: Workflow
    /// Everything that can happen to an order, by where it stands, and the state that follows. All else is refused.
    let table: [String: [String: OrderState]]
    /// An order that stands there.
    let standing: @Sendable (String) throws -> Order
    /// Whether the trigger is ever the actor's.
    let mayEver: @Sendable (OrderTrigger, OrderActor) -> Bool
    /// When the trigger is neither too early nor too late.
    var moment: @Sendable (OrderTrigger) -> Date = { _ in SampleOrder.start }

    // MARK: Random walks

    /// A new order, and its model. The number of the walk tells variants apart.
    let opened: @Sendable (_ walk: Int) -> (order: Order, model: any WorkflowModel)
    let trigger: @Sendable (Order, _ step: Int, inout SeededGenerator) -> OrderTrigger
    /// The longest of the usual pauses, in seconds.
    let pause: Double
    /// When the trigger comes, if not at once.
    var waits: @Sendable (OrderTrigger, Order, Date, inout SeededGenerator) -> Date = { _, _, now, _ in now }
    /// All that walks have to come to.
    let marks: Set<WalkCoverage.Mark>

    var testDescription: String { workflow.kind }

    static let all = [
        VisitTests.sample, HomeCareTests.sample, RideTests.sample, MealTests.sample, ParcelTests.sample,
        DropOffTests.sample, BikePickUpTests.sample,
    ]
}

extension Set<WalkCoverage.Mark> {
    static func states(_ states: some Sequence<OrderState>, and marks: WalkCoverage.Mark...) -> Self {
        Self(states.map(WalkCoverage.Mark.state)).union(marks)
    }
}
