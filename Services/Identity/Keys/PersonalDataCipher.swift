import Crypto
import Foundation
import Messaging

/// Encrypts contact data and other personal data (AES-256-GCM), and hashes it for lookups (HMAC-SHA256), with keys that
/// the database never sees.
///
/// A sealed value is the length of the key's id, the id, then nonce, ciphertext and tag. It is bound to its field and
/// owner: moved into another row it cannot be opened.
struct PersonalDataCipher: Sendable {
    enum Field: String, Sendable {
        case email, mobile
        case birthDate = "date of birth"
        case newContact = "new contact"
        case place = "saved place"
        case sharedPlace = "shared place"
        case recentPlace = "recent place"
        case details = "details of a role"
        case billingAddress = "billing address"
        case document, avatar
        case nationalID = "national id"
        /// The claims that Nafath sent about a person.
        case nafath
        /// The secret of an authenticator app.
        case secondFactor = "second factor"
    }

    /// The purpose of a hash; the same text has another hash for each.
    enum Purpose: String, Sendable {
        case email, mobile
        case nationalID = "national id"
        case failuresOfName = "login failures of a name"
        case failuresOfOwner = "failures of an owner who gives his password again"
        case failuresOfCode = "codes tried for a name"
        case failuresOfSecondFactor = "second factors tried by an owner"
        case code = "a code of an account"
        case failuresOfAddress = "login failures of an address"
        case file = "a file"
    }

    enum Fault: Error, Equatable {
        case malformed
        case unknownKey(id: String)
    }

    private let keys: [String: SymmetricKey]
    private let current: String
    private let lookup: SymmetricKey

    init(_ file: PersonalDataKeys) throws(PersonalDataKeys.Fault) {
        (keys, lookup) = try file.symmetricKeys()
        current = file.current
    }

    func seal(_ text: String, _ field: Field, of owner: UUID) throws -> [UInt8] {
        try seal(bytes: Array(text.utf8), field, of: owner)
    }

    func open(_ sealed: [UInt8], _ field: Field, of owner: UUID) throws -> String {
        String(decoding: try open(bytes: sealed, field, of: owner), as: UTF8.self)
    }

    /// - Parameter owner: the account, or the id of the row that holds the value.
    func seal(bytes: [UInt8], _ field: Field, of owner: UUID) throws -> [UInt8] {
        guard let key = keys[current] else { throw Fault.unknownKey(id: current) }
        let box = try AES.GCM.seal(bytes, using: key, authenticating: Self.context(field, owner))
        // Nil only for nonces of unusual length.
        guard let combined = box.combined else { throw Fault.malformed }
        return currentPrefix + Array(combined)
    }

    func open(bytes sealed: [UInt8], _ field: Field, of owner: UUID) throws -> [UInt8] {
        guard let idLength = sealed.first.map(Int.init), sealed.count > 1 + idLength else { throw Fault.malformed }
        let id = String(decoding: sealed[1..<1 + idLength], as: UTF8.self)
        guard let key = keys[id] else { throw Fault.unknownKey(id: id) }
        let box = try AES.GCM.SealedBox(combined: sealed[(1 + idLength)...])
        return Array(try AES.GCM.open(box, using: key, authenticating: Self.context(field, owner)))
    }

    /// The beginning of every value that the current key has sealed.
    var currentPrefix: [UInt8] { [UInt8(current.utf8.count)] + Array(current.utf8) }

    func hash(_ text: String, for purpose: Purpose) -> [UInt8] {
        var hmac = HMAC<SHA256>(key: lookup)
        hmac.update(data: Data("serai identity v1 \(purpose.rawValue):".utf8))
        hmac.update(data: Data(text.utf8))
        return Array(hmac.finalize())
    }

    /// A keyed hash of a file and its owner: the same file has another hash for another owner.
    func hash(file: [UInt8], of owner: UUID) -> [UInt8] {
        var hmac = HMAC<SHA256>(key: lookup)
        hmac.update(data: Data("serai identity v1 \(Purpose.file.rawValue) \(owner.text):".utf8))
        hmac.update(data: file)
        return Array(hmac.finalize())
    }

    func hash(code: String, of account: UUID) -> [UInt8] { hash("\(account.text) \(code)", for: .code) }

    private static func context(_ field: Field, _ account: UUID) -> Data {
        Data("serai identity v1 \(field.rawValue) \(account.text)".utf8)
    }
}
