import Foundation
import Hummingbird
import Messaging
import SeraiJSON
import ServiceKit

/// A call as shown to one of its parties. What the other's browser has said is in it for the device that talks alone.
struct CallView: ResponseEncodable, Encodable, Sendable {
    struct Party: Encodable, Sendable {
        /// `customer`, `provider` or `merchant`.
        let role: String
        let name: String
    }

    struct Candidate: Encodable, Sendable {
        let number: Int
        let candidate: String
    }

    let call: String
    let conversation: String
    let market: String
    let order: String?
    let state: String
    /// Whether the reader has called.
    let outgoing: Bool
    /// Whether the device that asks is the reader's in the call.
    let here: Bool
    let with: Party
    let madeAt: Date
    let takenAt: Date?
    let endedAt: Date?
    /// The end of the ring time.
    let ringsUntil: Date?
    let description: String?
    let candidates: [Candidate]

    init(_ call: Call, reader: UUID, device: UUID?, candidates: [CallCandidate] = []) {
        let other = call.other(than: reader)
        self.call = call.id.text
        conversation = call.conversation.text
        market = call.market
        order = call.order?.text
        state = call.state.rawValue
        outgoing = call.isCaller(reader)
        here = call.isBy(device, of: reader)
        with = Party(role: other.role, name: other.name)
        madeAt = call.madeAt
        takenAt = call.takenAt
        endedAt = call.endedAt
        ringsUntil = call.state == .ringing ? call.until : nil
        description = here ? (outgoing ? call.answer : call.offer) : nil
        self.candidates = here ? candidates.map { Candidate(number: $0.number, candidate: $0.text) } : []
    }
}

struct CallListView: ResponseEncodable, Encodable, Sendable {
    let items: [CallView]
}

/// The servers by which a browser finds a way, with a name and a password of some hours.
struct RelayView: Encodable, Sendable {
    /// In the form of `RTCIceServer`.
    struct Server: Encodable, Sendable {
        let urls: [String]
        let username: String
        let credential: String
    }

    let servers: [Server]
    let expiresAt: Date
}

/// How a call stands, on the streams of both parties. It names the call alone: whoever is concerned asks for the rest.
struct ToldCall: Encodable {
    let call: String
    let conversation: String
    let order: String?
    let state: String

    init(_ call: Call) {
        self.call = call.id.text
        conversation = call.conversation.text
        order = call.order?.text
        state = call.state.rawValue
    }

    func notices(to accounts: [UUID], at now: Date) throws -> [Notice] {
        let event = try JSON.wire.text(self)
        return accounts.map { .told(.call, event, to: $0, order: order.flatMap(UUID.init(uuidString:)), at: now) }
    }
}
