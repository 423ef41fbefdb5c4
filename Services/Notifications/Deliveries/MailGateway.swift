import Foundation
import Mail

/// Sends mails by SMTP. A repeat has the same Message-ID and the same bytes.
struct MailGateway: DeliveryGateway {
    let sender: MailSender
    let from: MailAddress
    let replyTo: MailAddress?

    func send(_ message: DeliveryMessage, until deadline: ContinuousClock.Instant) async -> DeliveryOutcome {
        guard let to = MailAddress(message.to) else { return .refused(cause: "no address") }
        let mail = Mail(
            id: message.id, from: from, replyTo: replyTo, to: to, subject: message.subject ?? "", text: message.text,
            language: message.language, date: message.requestedAt,
            unsubscribe: message.unsubscribe)
        return switch await sender.send(mail, until: deadline) {
        case .taken: .taken
        case .refused(let code): .refused(cause: "\(code)")
        case .later(let cause): .later(cause: cause)
        }
    }
}
