import Contracts
import Foundation
import Phones

/// A driver's day in Perth: takes whatever is offered, a ride or a meal.
struct DriverScript: Script {
    let driver: Newcomer
    let number: Int
    let place: Coordinate
    let kitchens: Kitchens
    let stage: Stage

    func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await stage.play("driver \(number), position", InSight(day: self)) }
            var index = 0
            while !Task.isCancelled {
                guard let entries = await KitchenScript.next(driver.stream.log, from: &index) else { break }
                for case let order? in entries.map(\.order) where order.state == .offered {
                    group.addTask {
                        await stage.play(
                            "order \(order.id.path), driver \(number)", Job(order: order.id, day: self))
                    }
                }
            }
            group.cancelAll()
        }
    }

    /// The phone says where it is: whoever is silent for long is offered nothing.
    private struct InSight: Script {
        let day: DriverScript

        func run() async throws {
            var generator = day.stage.generator("stroll", day.number)
            var place = day.place
            while true {
                try await Task.sleep(for: Timing.idlePosition * Double.random(in: 0.7...1.3, using: &generator))
                place.latitude += Double.random(in: -0.0002...0.0002, using: &generator)
                place.longitude += Double.random(in: -0.0002...0.0002, using: &generator)
                do {
                    try await day.driver.phone.post(position: place)
                } catch let refusal as Refusal {
                    // The next one may do; only somebody who never shows himself is out of sight.
                    day.stage.observations.surprise("driver \(day.number), position: \(refusal)")
                }
            }
        }
    }

    private struct Job: Script {
        let order: UUID
        let day: DriverScript

        private var stage: Stage { day.stage }
        private var phone: Phone { day.driver.phone }

        func run() async throws {
            var generator = stage.generator("job \(day.number)", Int(order.uuid.15))
            // One of a hundred lets the offer run out.
            guard !generator.chance(1) else { return }
            let sent = ContinuousClock.now
            guard try await stage.tolerating({ try await phone.act("accept", on: order) }) else { return }
            stage.observations.update { $0.acceptances[order] = sent }
            guard try await stage.persist("arrive", phone, order), try await begin() else { return }
            guard try await stage.goesOn(order, day.driver.stream, to: [.inProgress]) else { return }
            try await Task.sleep(for: Timing.work)
            _ = try await stage.persist("complete", phone, order)
        }

        /// The rider is in the car, or the restaurant hands the meal over to whoever says the code.
        private func begin() async throws -> Bool {
            guard let kitchen = day.kitchens[order] else { return try await stage.persist("start", phone, order) }
            guard let code = try await phone.order(order).food?.handOverCode else { return false }
            return try await stage.tolerating {
                try await kitchen.owner.phone.act("start", on: order, ["code": code])
            }
        }
    }
}
