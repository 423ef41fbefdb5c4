import Foundation

/// The notice that the provider is near.
extension Order {
    /// Time at which the courier or driver came near the customer; nil before that and for kinds other than food and
    /// bikes.
    var nearAt: Date? { food?.nearAt ?? bike?.nearAt }

    /// Records that customer and provider are told that the provider is near. A courier or driver does not report an
    /// arrival at the door, so the no-show wait of the customer starts here.
    mutating func comeNear(at now: Date) {
        isNear = true
        guard state == .inProgress else { return }
        switch particulars {
        case .food(var food)?:
            food.nearAt = now
            particulars = .food(food)
        case .bike(var bike)?:
            bike.nearAt = now
            particulars = .bike(bike)
        case .parcel?, .homeCare?, .ride?, nil: break
        }
    }
}
