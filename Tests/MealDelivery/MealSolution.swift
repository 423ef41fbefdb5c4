/// What was done in an instance, as the field's evaluator reads it.
public struct MealSolution: Sendable {
    public struct Assignment: Sendable {
        public var minute: Int
        public var pickup: Int
        public var courier: Int
        /// In the sequence of the drop-offs.
        public var orders: [Int]

        public init(minute: Int, pickup: Int, courier: Int, orders: [Int]) {
            self.minute = minute
            self.pickup = pickup
            self.courier = courier
            self.orders = orders
        }
    }

    /// A place that a courier moves to.
    public enum Stop: Hashable, Sendable {
        case start
        case restaurant(Int)
        case order(Int)
    }

    public struct Move: Sendable {
        public var departure: Int
        public var from: Stop
        public var to: Stop

        public init(departure: Int, from: Stop, to: Stop) {
            self.departure = departure
            self.from = from
            self.to = to
        }
    }

    public struct Delivery: Sendable {
        public var pickup: Int
        public var dropoff: Int
        public var courier: Int

        public init(pickup: Int, dropoff: Int, courier: Int) {
            self.pickup = pickup
            self.dropoff = dropoff
            self.courier = courier
        }
    }

    public var assignments: [Assignment] = []
    /// By order.
    public var deliveries: [Int: Delivery] = [:]
    /// By courier, in sequence.
    public var moves: [Int: [Move]] = [:]

    public init() {}

    /// A courier goes to a restaurant, if not there already.
    public mutating func move(_ courier: Int, at departure: Int, from: Stop, to: Stop) {
        guard from != to else { return }
        moves[courier, default: []].append(Move(departure: departure, from: from, to: to))
    }

    /// A courier takes orders of a restaurant at a minute and brings them to their doors.
    /// - Returns: when and where the courier is free again.
    public mutating func carry(
        _ orders: [Int], by courier: Int, assigned: Int, pickup: Int, in instance: MealInstance
    ) -> (minute: Int, stop: Stop) {
        assignments.append(Assignment(minute: assigned, pickup: pickup, courier: courier, orders: orders))
        var minute = pickup + instance.pickupMinutes - instance.reachCounter
        var stop = orders.first.map { Stop.restaurant(instance.orders[$0].restaurant) } ?? .start
        for order in orders {
            let arrival = minute + instance.minutes(place(stop, courier, instance), instance.orders[order].place)
            move(courier, at: minute, from: stop, to: .order(order))
            deliveries[order] = Delivery(pickup: pickup, dropoff: arrival + instance.reachDoor, courier: courier)
            minute = arrival + instance.dropoffMinutes
            stop = .order(order)
        }
        return (minute, stop)
    }

    public func place(_ stop: Stop, _ courier: Int, _ instance: MealInstance) -> MealInstance.Point {
        switch stop {
        case .start: instance.couriers[courier].place
        case .restaurant(let number): instance.restaurants[number].place
        case .order(let number): instance.orders[number].place
        }
    }
}
