/// Where a call between two parties of an order stands, and which events lead on from there.
enum CallState: String, Sendable, CaseIterable {
    /// All open devices of the called account ring.
    case ringing
    /// One device answered.
    case taken
    case declined
    /// Nobody answered within the ring time, or the caller gave up before.
    case missed
    /// Somebody hung up, or nothing was heard of the call for too long.
    case ended
    /// The two may not talk any more: the order ended, or one of them was banned or blocked.
    case closed

    var isRunning: Bool { self == .ringing || self == .taken }

    enum Event: Sendable, Hashable, CaseIterable {
        /// A device of the called account answers.
        case answered
        case declined
        case hungUpByCaller
        case hungUpByCalled
        /// The deadline in the row passed: the ring time, or the last sign of life of a taken call.
        case ranOut
        case doorClosed
    }

    enum Refusal: Error, Sendable, Equatable {
        /// Another device was first.
        case alreadyTaken
        /// There is nothing to answer or decline any more.
        case over
    }

    enum Step: Sendable, Equatable {
        case to(CallState)
        /// The event changes nothing: it was done already, so a repeated request is answered like the first.
        case same
        case refused(Refusal)
    }

    /// - Parameter isSameDevice: whether the device that answers is the one that took the call.
    func step(on event: Event, isSameDevice: Bool = false) -> Step {
        switch (self, event) {
        case (.ringing, .answered): .to(.taken)
        case (.ringing, .declined), (.ringing, .hungUpByCalled): .to(.declined)
        case (.ringing, .hungUpByCaller), (.ringing, .ranOut): .to(.missed)
        case (.ringing, .doorClosed), (.taken, .doorClosed): .to(.closed)
        case (.taken, .answered): isSameDevice ? .same : .refused(.alreadyTaken)
        // A second device of the called account cannot end what the first one took.
        case (.taken, .declined): .refused(.alreadyTaken)
        case (.taken, .hungUpByCaller), (.taken, .hungUpByCalled), (.taken, .ranOut): .to(.ended)
        case (.declined, .declined): .same
        case (.declined, .answered), (.missed, .answered), (.ended, .answered), (.closed, .answered): .refused(.over)
        case (.missed, .declined), (.ended, .declined), (.closed, .declined): .refused(.over)
        // Hanging up is always possible, and a late deadline or end of the order finds nothing to do.
        case (.declined, _), (.missed, _), (.ended, _), (.closed, _): .same
        }
    }
}
