import Foundation

/// The address of the sign-in page, and the values that the app keeps until the person comes back.
struct NafathBegunView: Encodable, Sendable {
    let url: String
    let state: String
    let secret: String
    let expiresAt: Date

    init(_ begun: BeginNafathSignIn.Begun) {
        url = begun.url
        state = begun.state
        secret = begun.secret
        expiresAt = begun.expiresAt
    }
}

/// An account has the mobile number, and its owner has to prove to own it.
struct NafathOwnerNeededView: Encodable, Sendable {
    let ticket: String
    /// `password`, `sms`.
    let ways: [String]
    let expiresAt: Date

    init(_ ticket: NafathTicket) {
        self.ticket = ticket.text
        ways = ticket.ways.map(\.rawValue)
        expiresAt = ticket.expiresAt
    }
}
