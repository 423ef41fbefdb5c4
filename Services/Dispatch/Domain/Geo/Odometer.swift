import Matching

/// Counts the way of one order's provider. What is counted is stored with the place from where it goes on.
struct Odometer: Hashable, Sendable {
    /// Shorter steps wait until they have become one of this length: a phone at rest seems to wander about.
    static let stepMetres = 20.0

    private(set) var metres: Double
    /// From where the next step counts.
    private(set) var base: Fix

    init(metres: Double = 0, base: Fix) {
        self.metres = metres
        self.base = base
    }

    /// - Returns: whether anything changed. An absurd jump moves the base and counts nothing.
    @discardableResult
    mutating func move(to fix: Fix) -> Bool {
        guard fix.at > base.at else { return false }
        let step = base.place.metres(to: fix.place)
        guard step >= Self.stepMetres else { return false }
        if fix.isReachable(from: base) { metres += step }
        base = fix
        return true
    }
}
