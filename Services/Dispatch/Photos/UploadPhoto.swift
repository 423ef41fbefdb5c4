import Foundation
import Messaging
import Postgres
import ServiceKit

/// Stores a photo that its owner will put on a parcel or a dish.
struct UploadPhoto: Sendable {
    /// Size of the uploaded file.
    static let maximumBytes = 2_097_152
    /// Enough for a full menu and many parcels.
    static let maximumOfOwner = 1_000

    /// A checked photo, ready to be stored.
    struct Prepared: Sendable {
        let id: UUID
        let mediaType: String
        let bytes: [UInt8]
    }

    /// Runs outside the caller's thread, which is the database's, since checking a photo takes milliseconds.
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
        try await AccountDeletionGuard.refuse(owner, in: transaction)
        transaction.send(SerializeCustomerRequests(topic: .photos, customer: owner))
        let stored = try await transaction.execute(InsertPhoto(photo: photo, owner: owner, now: now))
        guard stored == 1 else { throw PhotoRefusal.tooMany }
    }
}

/// Reason why a photo was refused.
enum PhotoRefusal: Error, Equatable {
    case tooMany
    /// No photo with this id, or another account's. Names the field of the request, or its path: `parcel/photo`.
    case notOwn(field: String)
}
