import Foundation
import SeraiJSON
import ServiceKit

/// A person's claims as the provider sends them.
struct NafathClaims: Codable, Hashable, Sendable {
    private(set) var nationalID: String?
    private(set) var firstName: String?
    private(set) var lastName: String?
    private(set) var mobile: String?
    private(set) var gender: String?
    private(set) var jobTitle: String?

    init(_ json: JSONValue, _ names: OpenIDSettings.ClaimNames) {
        nationalID = Self.text(json, names.nationalID)
        firstName = Self.text(json, names.firstName)
        lastName = Self.text(json, names.lastName)
        mobile = Self.text(json, names.mobile)
        gender = Self.text(json, names.gender)
        jobTitle = Self.text(json, names.jobTitle)
    }

    /// Whether every claim is known.
    var isComplete: Bool {
        nationalID != nil && firstName != nil && lastName != nil && mobile != nil && gender != nil && jobTitle != nil
    }

    /// Fills in claims that are missing.
    mutating func fill(from more: (json: JSONValue, names: OpenIDSettings.ClaimNames)?) {
        guard let more else { return }
        let other = NafathClaims(more.json, more.names)
        nationalID = nationalID ?? other.nationalID
        firstName = firstName ?? other.firstName
        lastName = lastName ?? other.lastName
        mobile = mobile ?? other.mobile
        gender = gender ?? other.gender
        jobTitle = jobTitle ?? other.jobTitle
    }

    /// The person, as the domain rules need it.
    ///
    /// - Throws: ``NafathPerson/Incomplete``.
    func person() throws(NafathPerson.Incomplete) -> NafathPerson {
        try NafathPerson(
            nationalID: nationalID, firstName: firstName, lastName: lastName, mobile: mobile, gender: gender,
            jobTitle: jobTitle)
    }

    /// Numbers are accepted, because some providers send the national id as one.
    private static func text(_ json: JSONValue, _ name: String) -> String? {
        switch json[name] {
        case .string(let text)? where !text.isEmpty && text.utf8.count <= 500: text
        case .integer(let number)?: String(number)
        default: nil
        }
    }
}
