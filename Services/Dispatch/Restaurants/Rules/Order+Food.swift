import Foundation

/// Changes of a meal's particulars.
extension Order {
    /// Sets the time at which the meal is ready; nil takes the restaurant's usual preparation time.
    mutating func promise(in minutes: Int?, from now: Date) {
        changeFood { food in
            food.preparationMinutes = minutes ?? food.preparationMinutes
            food.readyAt = now.addingTimeInterval(Double(food.preparationMinutes) * 60)
        }
    }

    mutating func becomeReady(at now: Date) {
        changeFood { food in
            food.readyAt = now
            food.isReady = true
        }
    }

    /// Sets the code that the courier tells the restaurant, or the rider tells the driver if the ride has a start code.
    mutating func renewCode(_ code: String) {
        changeFood { $0.handOverCode = code }
        guard case .ride(var ride)? = particulars, ride.startCode != nil else { return }
        ride.startCode = code
        particulars = .ride(ride)
    }

    private mutating func changeFood(_ change: (inout Food) -> Void) {
        guard case .food(var food)? = particulars else { return }
        change(&food)
        particulars = .food(food)
    }

    /// The time at which the search for a courier starts, so that he or she arrives when the meal is ready; nil for at
    /// once.
    var searchOpensAt: Date? {
        guard let food, !food.isReady, let readyAt = food.readyAt else { return nil }
        let opens = readyAt.addingTimeInterval(-Double(food.approachSeconds))
        return opens > changedAt ? opens : nil
    }

    /// The estimated arrival at the customer; nil once a courier carries the meal, because from then on his or her
    /// position counts.
    var arrivesAt: Date? {
        guard let food, !state.isFinal, state != .inProgress, state != .disputed else { return nil }
        let ready = food.readyAt ?? changedAt.addingTimeInterval(Double(food.preparationMinutes) * 60)
        return max(ready, changedAt).addingTimeInterval(Double(food.seconds))
    }
}
