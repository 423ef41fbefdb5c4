import Foundation
import Messaging
import Postgres
import ServiceKit

/// Keeps a photo for whoever is about to put it on a parcel or a dish.
struct UploadPhoto: Sendable {
    /// Of the file, as it is sent.
    static let maximumBytes = 2_097_152
    /// As many as a full menu's and those of many parcels.
    static let maximumOfOwner = 1_000

    /// A photo that was looked at, ready to be stored.
    struct Prepared: Sendable {
        let id: UUID
        let mediaType: String
        let bytes: [UInt8]
    }

    /// Leaves the caller's thread, which is the database's: to read a photo takes milliseconds.
    ///
    /// - Throws: ``FileFault``.
    func prepare(_ bytes: [UInt8]) async throws -> Prepared {
        try await LongWork.run {
            let file = try UploadedFile(bytes, of: FileKind.images, maximumSide: UploadedFile.maximumPictureSide)
            return Prepared(id: .timeOrdered(), mediaType: file.kind.mediaType, bytes: file.bytes)
        }
    }

    /// - Throws: ``PhotoRefusal/tooMany``, ``Problem/accountLeaving``
    func store(
        _ photo: Prepared, of owner: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        try await LeavingAccounts.refuse(owner, in: transaction)
        let stored = try await transaction.execute(InsertPhoto(photo: photo, owner: owner, now: now))
        guard stored == 1 else { throw PhotoRefusal.tooMany }
    }
}

/// Why a photo was not taken.
enum PhotoRefusal: Error, Equatable {
    case tooMany
    /// There is none of this id, or it is another's. The field of the request.
    case notOwn(field: String)
}
