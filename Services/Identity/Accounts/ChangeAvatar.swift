import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// An owner's picture (I6). It is got by a keyed hash of itself: another picture has another address, so that each may be
/// kept by browsers for ever, and nobody can find one whose address he was not given.
struct ChangeAvatar: Sendable {
    static let maximumBytes = 2_097_152

    let cipher: PersonalDataCipher

    /// A picture that was looked at, ready to be stored.
    struct Prepared: Sendable {
        let name: String
        let mediaType: String
        let sealed: [UInt8]
    }

    /// Leaves the caller's thread, which is the database's: to read and seal a picture takes milliseconds.
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

    /// Takes the picture away; the market's own is shown then. Repeats do nothing.
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

    /// Leaves the caller's thread, as ``prepare(_:for:)`` does.
    func open(_ row: FindAvatar.Row) async throws -> [UInt8] {
        try await LongWork.run { [cipher] in try cipher.open(bytes: row.sealed, .avatar, of: row.account) }
    }
}
