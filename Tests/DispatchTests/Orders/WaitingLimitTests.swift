import Contracts
import Foundation
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("Visits that wait", .timeLimit(.minutes(15)))
struct WaitingLimitTests {
    @Test(
        "O4: a customer's unpaid visits are five at most, of requests at once to two processes too; a payment makes room"
    )
    func limit() async throws {
        try await OrderWorld.with { world in
            try await world.withAnotherProcess { other in
                let customer = try await world.addCustomer()
                var providers: [UUID] = []
                for _ in 0..<8 { providers.append(try await world.addProvider()) }
                let outcomes = await withTaskGroup(of: Result<Order, any Error>.self) { tasks in
                    for (number, provider) in providers.enumerated() {
                        let process = number.isMultiple(of: 2) ? world : other
                        tasks.addTask {
                            do { return .success(try await process.request(customer, provider)) } catch {
                                return .failure(error)
                            }
                        }
                    }
                    return await tasks.reduce(into: []) { $0.append($1) }
                }
                let orders = outcomes.compactMap { try? $0.get() }
                #expect(orders.count == RequestOrder.waitingLimit)
                for case .failure(let error) in outcomes {
                    #expect(error as? RequestOrder.Refusal == .tooManyWaiting)
                }
                let free = try #require(providers.first { provider in !orders.contains { $0.assignee == provider } })
                // Another customer asks as before.
                _ = try await world.request(try await world.addCustomer(), free)
                _ = try await world.accept(orders[0])
                await #expect(throws: RequestOrder.Refusal.tooManyWaiting) { try await world.request(customer, free) }
                try await world.pay(orders[0].id)
                _ = try await world.request(customer, free)
                await #expect(throws: RequestOrder.Refusal.tooManyWaiting) { try await world.request(customer, free) }
                _ = try await world.cancel(orders[1])
                _ = try await world.request(customer, free)
            }
        }
    }
}
