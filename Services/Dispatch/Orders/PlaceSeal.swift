import Crypto
import Foundation
import ServiceKit

/// Seals what people write of a place: flat, floor, gate code. It is encrypted as soon as it comes in, is so in each
/// table, and is opened only to be shown (I14). Nothing is computed with it; the coordinates beside it stay clear.
struct PlaceSeal: Sendable {
    static let secretKey = ConfigurationKey<Redacted<String>?>(
        "places.key",
        "Seals what people write of places; http.signing.key by default. What another key has sealed is not shown.",
        range: "at least 32 characters", isAllowed: { $0.map { $0.revealed.utf8.count >= 32 } ?? true })

    /// The beginning of a sealed text. Texts without it were stored by an earlier version; ``SealPlaces`` seals them.
    static let mark = "sealed:"

    private let key: SymmetricKey

    /// - Parameter secret: the same in all processes of the service.
    init(secret: Redacted<String>) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.revealed.utf8)), info: Data("serai places v1".utf8),
            outputByteCount: 32)
    }

    init(_ configuration: ServiceConfiguration) throws {
        self.init(secret: try configuration[Self.secretKey] ?? configuration[CommonKeys.signingKey])
    }

    func seal(_ text: String) throws -> String {
        // Nonce, ciphertext and tag; nil only for nonces of unusual length.
        let box = try AES.GCM.seal(Data(text.utf8), using: key).combined ?? Data()
        return Self.mark + box.base64EncodedString()
    }

    /// Nil for a text that another key has sealed.
    func open(_ text: String) -> String? {
        guard text.hasPrefix(Self.mark) else { return text }
        guard let bytes = Data(base64Encoded: String(text.dropFirst(Self.mark.count))) else { return nil }
        do {
            let box = try AES.GCM.SealedBox(combined: bytes)
            return String(decoding: try AES.GCM.open(box, using: key), as: UTF8.self)
        } catch {
            return nil
        }
    }
}

extension Order.Place {
    /// For a place that comes from a form.
    func sealed(by seal: PlaceSeal) throws -> Order.Place {
        Order.Place(
            latitude: latitude, longitude: longitude, description: try description.map { try seal.seal($0) })
    }

    func opened(by seal: PlaceSeal) -> Order.Place {
        Order.Place(latitude: latitude, longitude: longitude, description: description.flatMap { seal.open($0) })
    }
}

extension OrderDetails {
    /// To be shown, and never to be stored.
    func opened(by seal: PlaceSeal) -> OrderDetails {
        var details = self
        details.order.place = order.place.opened(by: seal)
        details.order.destination = order.destination?.opened(by: seal)
        return details
    }
}

extension Quote {
    /// To be shown, and never to be stored.
    func opened(by seal: PlaceSeal) -> Quote {
        var quote = self
        (quote.from, quote.to) = (from.opened(by: seal), to.opened(by: seal))
        return quote
    }
}

extension Series.Wish {
    /// For a wish that comes from a form.
    func sealed(by seal: PlaceSeal) throws -> Series.Wish {
        var wish = self
        wish.place = try place.sealed(by: seal)
        wish.parcel?.destination.description = try parcel?.destination.description.map { try seal.seal($0) }
        return wish
    }

    /// To be shown, and never to be stored.
    func opened(by seal: PlaceSeal) -> Series.Wish {
        var wish = self
        wish.place = place.opened(by: seal)
        wish.parcel?.destination.description = parcel?.destination.description.flatMap { seal.open($0) }
        return wish
    }
}
