import Foundation

/// How long somebody may delete what he or she has said.
enum Unsaying {
    /// The parties of an order have agreed on things by what they wrote; a slip is noticed within the hour.
    static let seconds: Double = 3_600

    /// - Parameter ofFriends: friends and groups have nothing to prove to each other: they may at any time.
    static func isAllowed(ofFriends: Bool, saidAt: Date, at now: Date) -> Bool {
        ofFriends || now < saidAt.addingTimeInterval(seconds)
    }
}
