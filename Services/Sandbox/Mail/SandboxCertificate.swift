import Crypto
import Foundation
import NIOSSL

/// A certificate for `localhost`, `sandbox` and 127.0.0.1, signed by itself and valid for a year, in DER (RFC 5280).
struct SandboxCertificate: Sendable {
    private let key = P256.Signing.PrivateKey()
    private let der: [UInt8]

    init(at now: Date) throws {
        let algorithm = DER.sequence(DER.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))
        let name = DER.sequence(
            DER.set(
                DER.sequence(DER.objectIdentifier([0x55, 0x04, 0x03]) + DER.value(0x0C, Array("sandbox".utf8)))))
        let validity = DER.sequence(
            DER.time(now.addingTimeInterval(-3_600)) + DER.time(now.addingTimeInterval(31_536_000)))
        // Basic constraints: an authority. Alternative names: those that clients look for.
        let isAuthority = DER.sequence(
            DER.objectIdentifier([0x55, 0x1D, 0x13]) + DER.value(0x01, [0xFF])
                + DER.value(0x04, DER.sequence(DER.value(0x01, [0xFF]))))
        let names = DER.sequence(
            DER.value(0x82, Array("localhost".utf8)) + DER.value(0x82, Array("sandbox".utf8))
                + DER.value(0x87, [127, 0, 0, 1]))
        let alternative = DER.sequence(DER.objectIdentifier([0x55, 0x1D, 0x11]) + DER.value(0x04, names))
        let serial = DER.value(0x02, [0x01] + (0..<8).map { _ in UInt8.random(in: .min ... .max) })
        let content = DER.sequence(
            DER.value(0xA0, DER.value(0x02, [2])) + serial + algorithm + name + validity + name
                + Array(key.publicKey.derRepresentation)
                + DER.value(0xA3, DER.sequence(isAuthority + alternative)))
        let signature = try key.signature(for: content).derRepresentation
        der = DER.sequence(content + algorithm + DER.value(0x03, [0] + signature))
    }

    /// For those who are to trust it.
    var pem: String {
        "-----BEGIN CERTIFICATE-----\n"
            + Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            + "\n-----END CERTIFICATE-----\n"
    }

    func serverContext() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: der, format: .der))],
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)))
        configuration.minimumTLSVersion = .tlsv13
        return try NIOSSLContext(configuration: configuration)
    }
}

/// The few forms of ASN.1 that a certificate needs.
private enum DER {
    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
            }
        return [tag] + length + content
    }

    static func sequence(_ content: [UInt8]) -> [UInt8] { value(0x30, content) }
    static func set(_ content: [UInt8]) -> [UInt8] { value(0x31, content) }
    static func objectIdentifier(_ encoded: [UInt8]) -> [UInt8] { value(0x06, encoded) }

    static func time(_ date: Date) -> [UInt8] {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyMMddHHmmss'Z'"
        return value(0x17, Array(formatter.string(from: date).utf8))
    }
}
