internal import Synchronization

/// Asks a mail that is under way to end, unless its body is being sent.
final class MailStop: Sendable {
    private let flag = Atomic<Bool>(false)

    var isAsked: Bool { flag.load(ordering: .relaxed) }

    func ask() { flag.store(true, ordering: .relaxed) }
}
