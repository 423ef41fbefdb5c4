import Contracts
import Foundation
import ServiceKit

@testable import AMQP
@testable import SeraiDispatch

extension Parser {
    static let texts = [typed, phones, addresses, content, people]

    /// What people type and paste.
    static let typed = Parser(name: "typed") { bytes in
        let text = text(bytes)
        let normalized = TypedText.normalized(text)
        try require(normalized.utf8.count <= 3 * text.utf8.count + 3, "it has grown to \(normalized.utf8.count) bytes")
        try require(TypedText.normalized(normalized) == normalized, "normalized twice it is another text")
        let folded = SearchText.folded(normalized)
        try require(!folded.hasPrefix(" ") && !folded.hasSuffix(" "), "a space at an end of \(folded)")
        _ = (TypedText.code(text), TypedText.showsSomething(text), TypedText.showsLetter(text))
        if let hours = OpeningHours(text) { try require(hours.text == text, "\(text) is \(hours.text)") }
        _ = Currency.named(text)
    }

    /// Phone numbers, with and without their calling code. Longer texts are refused by the form.
    static let phones = Parser(name: "phones", maximumBytes: 256) { bytes in
        let text = text(bytes)
        for code in [nil, "966", "39", "1"] {
            guard let number = PhoneNumber(mobile: text, callingCode: code) else { continue }
            try e164(number)
            try require(PhoneNumber(mobile: number.text)?.text == number.text, "\(text) is twice \(number.text)")
        }
        if let number = PhoneNumber(landlineOrMobile: text) {
            try e164(number)
            try require(PhoneNumber(landlineOrMobile: number.text)?.text == number.text, "twice \(number.text)")
        }
        if let number = PhoneNumber(known: text) { try e164(number) }
    }

    private static func e164(_ number: PhoneNumber) throws {
        let digits = number.text.utf8.dropFirst()
        try require(
            number.text.hasPrefix("+") && (1...20).contains(digits.count)
                && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) },
            "\(number.text) is no number")
    }

    /// Addresses of websites, of the broker, and where requests go.
    static let addresses = Parser(name: "addresses", maximumBytes: 16_384) { bytes in
        let text = text(bytes)
        _ = WebAddress.isIn(text)
        if let url = OutgoingAddress(allowsPrivate: false).url(text) {
            try require(url.scheme == "https" && url.host?.isEmpty == false && url.user == nil, "\(url)")
        }
        // try?: most texts are none.
        if let url = try? AMQPURL(text) {
            try require(!url.hosts.isEmpty && !url.virtualHost.isEmpty, "\(url) has no host")
            try require(url.hosts.allSatisfy { (1...65_535).contains($0.port) }, "\(url) has no port")
            try require((0...3_600).contains(url.heartbeatSeconds), "\(url) beats \(url.heartbeatSeconds)")
        }
    }
}
