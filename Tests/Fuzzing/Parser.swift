import CoreFoundation
import Foundation

/// A group of parsers of bytes that come from outside, and what holds of them for any bytes.
struct Parser: Sendable, CustomStringConvertible {
    /// Of its folders of seeds and of found inputs.
    let name: String
    /// Where its seeds are, from this folder.
    let seeds: String
    /// Longer inputs are refused before the parser is asked.
    let maximumBytes: Int
    /// Throws ``Broken`` where a property does not hold. What the parser refuses is no error.
    let check: @Sendable ([UInt8]) throws -> Void

    init(
        name: String, maximumBytes: Int = 65_536, seeds: String? = nil,
        check: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.name = name
        self.maximumBytes = maximumBytes
        self.seeds = seeds ?? "Seeds/\(name)"
        self.check = check
    }

    var description: String { name }

    static let all: [Parser] = [
        [json, wireTexts, messages, envelopes, files], requests, texts, tokens, answers, feeds,
    ].flatMap { $0 }

    /// No input takes longer, on a host that may have half its speed. Unoptimised code is slower.
    private static var limitSeconds: Double {
        #if SERAI_FUZZ
        2
        #else
        3
        #endif
    }

    /// - Throws: ``Broken``, also when it takes too long: of this thread's own time, so that a busy machine is no fault.
    func run(_ bytes: [UInt8]) throws {
        let start = Self.seconds()
        try check(Array(bytes.prefix(maximumBytes)))
        let taken = Self.seconds() - start
        guard taken <= Self.limitSeconds else { throw Broken("it takes \(taken) s") }
    }

    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// A property that does not hold.
struct Broken: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// - Throws: ``Broken``
func require(_ holds: Bool, _ property: @autoclosure () -> String) throws {
    guard holds else { throw Broken(property()) }
}

/// The bytes as a text, as it comes out of JSON or of a header: never malformed.
func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
