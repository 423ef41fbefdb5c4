import Foundation

/// That a provider is near.
extension Order {
    /// When who brings something came near its customer; nil before, and of what is not brought.
    var nearAt: Date? { food?.nearAt ?? bike?.nearAt }

    /// Both are told. Who brings something says nothing at the door: whoever is to open it is waited for from here on.
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
