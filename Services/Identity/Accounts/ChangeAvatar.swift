import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Changes an owner's picture (I6). A picture's address is a keyed hash of its bytes and the account: another picture
/// has another address, so browsers may cache each for ever, and an address cannot be guessed.
struct ChangeAvatar: Sendable {
    static let maximumBytes = 2_097_152

    let cipher: PersonalDataCipher

    /// A picture that is checked, sealed and ready to be stored.
    struct Prepared: Sendable {
        let name: String
        let mediaType: String
        let sealed: [UInt8]
    }

    /// Checks and seals a picture. Runs outside the caller's thread, which is the database's, because this takes
    /// milliseconds.
    ///
    /// - Throws: ``FileFault``.
    func prepare(_ bytes: [UInt8], for account: UUID) async throws -> Prepared {
        try await LongWork.run { [cipher] in
            let file = try UploadedFile(bytes, of: FileKind.images, maximumSide: UploadedFile.maximumPictureSide)
            let name = cipher.hash(file: file.bytes, of: account)
            return Prepared(
                name: name.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(),
                mediaType: file.kind.mediaType, sealed: try cipher.seal(bytes: file.bytes, .avatar, of: account))
        }
    }

    /// - Throws: ``IdentityError/noSuchAccount``.
    func set(_ avatar: Prepared, of id: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        var account = try await Accounts.lock(id, in: transaction)
        guard account.avatar != avatar.name else { return }
        account.show(avatar: avatar.name)
        transaction.send(
            PutAvatar(
                account: id, name: avatar.name, mediaType: avatar.mediaType, sealed: avatar.sealed, now: now))
        transaction.send(UpdateAccount(account: account))
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
    }

    /// Removes the picture; the market's logo is shown then. Repeats do nothing.
    ///
    /// - Throws: ``IdentityError/noSuchAccount``.
    func remove(of id: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        var account = try await Accounts.lock(id, in: transaction)
        guard account.avatar != nil else { return }
        account.show(avatar: nil)
        transaction.send(DeleteAvatar(account: id))
        transaction.send(UpdateAccount(account: account))
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
    }

    /// Decrypts a picture, outside the caller's thread as ``prepare(_:for:)``.
    func open(_ row: FindAvatar.Row) async throws -> [UInt8] {
        try await LongWork.run { [cipher] in try cipher.open(bytes: row.sealed, .avatar, of: row.account) }
    }
}
