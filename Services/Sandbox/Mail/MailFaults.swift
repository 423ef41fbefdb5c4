import Synchronization

/// What a mail server does wrong, at which command.
struct MailFault: Codable, Sendable, Equatable {
    enum Step: String, Codable, Sendable { case connect, ehlo, starttls, auth, mail, rcpt, data, body }

    let step: Step
    /// Only for this recipient, from the step `rcpt` on.
    var to: String?
    /// Answers with this code.
    var code: Int?
    /// Closes the connection without an answer.
    var cuts: Bool?
    /// Keeps the mail nevertheless, as a server that dies before its answer.
    var keeps: Bool?
    var delaySeconds: Double?
    /// Offers no STARTTLS.
    var hidesTLS: Bool?
}

/// The faults that are set at the moment.
final class MailFaults: Sendable {
    private let faults = Mutex<[MailFault]>([])

    func set(_ new: [MailFault]) { faults.withLock { $0 = new } }

    func fault(at step: MailFault.Step, to recipient: String? = nil) -> MailFault? {
        faults.withLock { faults in faults.first { $0.step == step && ($0.to == nil || $0.to == recipient) } }
    }
}
