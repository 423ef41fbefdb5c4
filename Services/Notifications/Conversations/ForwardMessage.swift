import Foundation
import Messaging
import Postgres
import ServiceKit

/// Says a copy of a message in another conversation. It is what the forwarder says: it stays when the first one is deleted,
/// and names nobody of the conversation that it comes from.
struct ForwardMessage: Sendable {
    /// The message that is forwarded, in a conversation that the forwarder can read.
    struct Source: Sendable {
        let conversation: UUID
        let message: UUID
    }

    let send: SendMessage

    /// - Throws: ``TalkRefusal``; a 404 ``Problem`` if the sender may not read the message, or is no member of the other
    ///   conversation.
    func callAsFunction(
        _ source: Source, as id: UUID, in conversation: UUID, by sender: UUID, anyway: Bool, at now: Date,
        _ transaction: PostgresTransaction
    ) async throws -> TalkMessage {
        // A repeated request gets the copy that the first one made, also when the original is deleted by now.
        let known = try await transaction.first(FindTalkMessage(conversation: conversation, id: id))
        if let known, known.sender == sender { return known }
        let (talks, messages) = try await transaction.queryAll(
            FindTalk(conversation: source.conversation, account: sender),
            FindTalkMessage(conversation: source.conversation, id: source.message))
        guard let talk = talks.first, let message = messages.first, message.number > talk.since,
            let kind = message.sayable
        else { throw Problem.notFound }
        var content = TalkContent(kind: kind, text: message.body, seconds: message.seconds, isForwarded: true)
        if kind != .text {
            let read = ReadTalkFile(conversation: source.conversation, id: source.message, since: talk.since)
            guard let file = try await transaction.first(read) else { throw Problem.notFound }
            content.file = file
        }
        return try await send(content, as: id, in: conversation, by: sender, anyway: anyway, at: now, transaction)
    }
}

extension TalkMessage {
    /// The kind of what can be said again; nil for what is gone.
    var sayable: Kind? {
        switch Kind(rawValue: kind) {
        case .text: .text
        case .photo: .photo
        case .voice: .voice
        case .deleted, .removed, nil: nil
        }
    }
}
