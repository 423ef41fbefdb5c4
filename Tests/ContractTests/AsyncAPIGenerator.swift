import Contracts
import Foundation
import Messaging
import Yams

/// Writes the AsyncAPI 3 document: channels and operations follow from ``AllMessages``, examples are the golden samples, and
/// `docs/asyncapi/schemas.yaml`, which is written by hand, comes before them word for word.
struct AsyncAPIGenerator {
    struct NoSchema: Error, CustomStringConvertible {
        let type: String
        var description: String { "docs/asyncapi/schemas.yaml has no schema with a description for \(type)" }
    }

    /// A channel and the one message on it.
    private struct Channel {
        let address: String
        let type: String
        let service: String
        /// The name of the binding to an exchange.
        let binding: String
        let isCommand: Bool
        let example: String
        var hasEnvelope = true

        /// `identitySendsAccountRegistered`, `walletReceivesPlaceHold`.
        var operation: String { service + (isCommand ? "Receives" : "Sends") + type }
    }

    let schemasText: String
    /// The golden sample of a message, as JSON on one line.
    let example: (_ name: String) throws -> String

    func document() throws -> String {
        let written = try Yams.load(yaml: schemasText) as? [String: Any]
        let schemas = (written?["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]] ?? [:]
        var channels = try AllMessages.types.map { type in
            let name = type.name
            let isCommand = type.kind == .command
            return Channel(
                address: name.text, type: String(describing: type), service: name.service,
                binding: isCommand ? "\(name.service)Commands" : name.service, isCommand: isCommand,
                example: try example(name.text))
        }
        channels.append(
            Channel(
                address: ProviderPositions.exchange, type: "ProviderPositions", service: "dispatch",
                binding: "positions", isCommand: false, example: try example(ProviderPositions.exchange),
                hasEnvelope: false))
        channels.append(
            Channel(
                address: FriendPlaces.exchange, type: "FriendPlaces", service: "identity", binding: "places",
                isCommand: false, example: try example(FriendPlaces.exchange), hasEnvelope: false))
        var lines = ["channels:"]
        for channel in channels {
            guard let summary = schemas[channel.type]?["description"] as? String else {
                throw NoSchema(type: channel.type)
            }
            lines += Self.lines(of: channel, summary)
        }
        lines.append("operations:")
        for channel in channels {
            lines += [
                "  \(channel.operation):",
                "    action: \(channel.isCommand ? "receive" : "send")",
                "    channel: { $ref: \"#/channels/\(channel.address)\" }",
                "    messages: [{ $ref: \"#/channels/\(channel.address)/messages/\(channel.type)\" }]",
                "    tags: [{ name: \(channel.service) }]",
            ]
        }
        return schemasText + lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of channel: Channel, _ summary: String) -> [String] {
        let quoted = summary.trimmingCharacters(in: .whitespacesAndNewlines)
            .replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: " ")
        return [
            "  \(channel.address):",
            "    address: \(channel.address)",
            "    messages:",
            "      \(channel.type):",
            "        name: \(channel.address)",
            "        title: \(channel.type)",
            "        summary: \"\(quoted)\"",
        ] + (channel.hasEnvelope ? ["        traits: [{ $ref: \"#/components/messageTraits/Envelope\" }]"] : []) + [
            "        payload: { $ref: \"#/components/schemas/\(channel.type)\" }",
            "        examples: [{ payload: \(channel.example) }]",
            "    bindings: { $ref: \"#/components/channelBindings/\(channel.binding)\" }",
        ]
    }
}
