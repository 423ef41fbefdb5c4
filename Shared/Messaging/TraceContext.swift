import Foundation

/// A step of a distributed trace in the form of W3C Trace Context (https://www.w3.org/TR/trace-context-2/,
/// `traceparent` version 00).
///
/// It comes with an HTTP request, travels in the `traceparent` header of every message that the request causes, and is
/// written on every log line on the way. A pure value, without side effects.
public struct TraceContext: Sendable, Hashable {
    /// The id of the whole trace. Never zero.
    public let traceID: TraceID
    /// The id of this step; the next service sees it as `parent-id`. Never zero.
    public let spanID: UInt64
    /// Bit 0: sampled. Bit 1: the trace id is random. Other bits are dropped, as the recommendation requires.
    public let flags: UInt8
    /// Other vendors' data, carried along unread. Nil when it was absent or not valid.
    public let tracestate: String?

    /// 128 bits, big-endian in text.
    public struct TraceID: Sendable, Hashable, CustomStringConvertible {
        public let high: UInt64
        public let low: UInt64

        public init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }

        public var isZero: Bool { high == 0 && low == 0 }
        /// 32 lower-case hexadecimal digits.
        public var description: String { TraceContext.hexadecimal(high) + TraceContext.hexadecimal(low) }
    }

    /// The trace of the current work. Inherited by child tasks; nil outside of requests and deliveries.
    @TaskLocal public static var current: TraceContext?

    /// The id of the HTTP request that began the current work. Inherited by child tasks.
    @TaskLocal public static var currentRequestID: String?

    public var isSampled: Bool { flags & 1 == 1 }

    /// Parses a `traceparent` header.
    ///
    /// - Returns: nil for a malformed header: wrong length, upper-case digits, version `ff`, zero ids. The caller then
    ///   starts a new trace. A later version is read as version 00 if it begins like one.
    public init?(traceparent: String, tracestate: String? = nil) {
        let bytes = Array(traceparent.utf8)
        guard bytes.count >= 55, bytes.count <= 512 else { return nil }
        guard bytes[2] == UInt8(ascii: "-"), bytes[35] == UInt8(ascii: "-"), bytes[52] == UInt8(ascii: "-") else {
            return nil
        }
        guard let version = Self.number(bytes[0..<2]), version != 0xff,
            let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]),
            let span = Self.number(bytes[36..<52]), let flags = Self.number(bytes[53..<55])
        else { return nil }
        guard bytes.count == 55 || (version > 0 && bytes[55] == UInt8(ascii: "-")) else { return nil }
        let traceID = TraceID(high: high, low: low)
        guard !traceID.isZero, span != 0 else { return nil }
        self.traceID = traceID
        self.spanID = span
        self.flags = UInt8(truncatingIfNeeded: flags) & 0x03
        self.tracestate = tracestate.flatMap(Self.carried)
    }

    private init(traceID: TraceID, spanID: UInt64, flags: UInt8, tracestate: String?) {
        self.traceID = traceID
        self.spanID = spanID
        self.flags = flags
        self.tracestate = tracestate
    }

    /// Starts a trace.
    public static func generate(
        sampled: Bool = true, using generator: inout some RandomNumberGenerator
    ) -> TraceContext {
        TraceContext(
            traceID: TraceID(
                high: UInt64.random(in: 0...UInt64.max, using: &generator),
                low: UInt64.random(in: 1...UInt64.max, using: &generator)),
            spanID: UInt64.random(in: 1...UInt64.max, using: &generator),
            flags: sampled ? 0x03 : 0x02, tracestate: nil)
    }

    /// Starts a trace with the system's random numbers.
    public static func generate(sampled: Bool = true) -> TraceContext {
        var generator = SystemRandomNumberGenerator()
        return generate(sampled: sampled, using: &generator)
    }

    /// The next step of the trace: a new span under this one.
    public func child() -> TraceContext {
        var generator = SystemRandomNumberGenerator()
        return child(using: &generator)
    }

    /// The next step of the trace, with the caller's random numbers.
    public func child(using generator: inout some RandomNumberGenerator) -> TraceContext {
        TraceContext(
            traceID: traceID, spanID: UInt64.random(in: 1...UInt64.max, using: &generator), flags: flags,
            tracestate: tracestate)
    }

    /// The header's text, version 00, 55 characters.
    public var traceparent: String {
        let flagDigits = Self.hexadecimal(UInt64(flags)).suffix(2)
        return "00-\(traceID)-\(Self.hexadecimal(spanID))-\(flagDigits)"
    }

    /// 16 lower-case hexadecimal digits.
    public var spanIDText: String { Self.hexadecimal(spanID) }

    /// At most 512 printable characters and 32 members; other values are dropped, as the recommendation allows.
    private static func carried(_ tracestate: String) -> String? {
        let text = tracestate.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty, text.utf8.count <= 512, text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            return nil
        }
        let members = text.split(separator: ",")
        guard members.count <= 32, members.allSatisfy({ $0.contains("=") }) else { return nil }
        return text
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return value
    }

    fileprivate static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
