import Crypto
import Foundation
import ServiceKit

/// An uploaded picture, checked and ready to be stored. Its name is the hash of its bytes, so browsers may keep each
/// for ever: another picture has another address.
struct CatalogueImage: Sendable {
    static let maximumBytes = 1_048_576
    /// In pixels. A card shows some hundred.
    static let maximumSide = 2_048
    /// For pages that were read before the picture changed.
    static let keptSeconds = 7 * 86_400.0

    let name: String
    let mediaType: String
    let bytes: [UInt8]

    /// Checks a picture outside the caller's thread, which is the database's, because this takes milliseconds.
    ///
    /// - Throws: ``FileFault``.
    static func checked(_ bytes: [UInt8]) async throws -> CatalogueImage {
        try await LongWork.run {
            let file = try UploadedFile(bytes, of: FileKind.images, maximumSide: maximumSide)
            let hash = SHA256.hash(data: file.bytes).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            return CatalogueImage(name: hash.joined(), mediaType: file.kind.mediaType, bytes: file.bytes)
        }
    }
}
