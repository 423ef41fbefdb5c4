import Foundation

/// What happens to a meal besides its state.
extension Order {
    /// The restaurant has said in how many minutes it is ready; nil is as it says of itself.
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

    /// What the courier tells the restaurant from now on, or the rider the driver, where that is asked for.
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

    /// When somebody has to be asked so that he or she is there when it is ready; nil is at once.
    var searchOpensAt: Date? {
        guard let food, !food.isReady, let readyAt = food.readyAt else { return nil }
        let opens = readyAt.addingTimeInterval(-Double(food.approachSeconds))
        return opens > changedAt ? opens : nil
    }

    /// When it is likely at the customer's, until somebody brings it; from then on its courier is followed.
    var arrivesAt: Date? {
        guard let food, !state.isFinal, state != .inProgress, state != .disputed else { return nil }
        let ready = food.readyAt ?? changedAt.addingTimeInterval(Double(food.preparationMinutes) * 60)
        return max(ready, changedAt).addingTimeInterval(Double(food.seconds))
    }
}
