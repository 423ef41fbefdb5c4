import Logging

/// One log entry as text. Pure: the time is a parameter, the result is bytes.
struct LogLine {
    /// Longer lines are cut, so that one large value cannot fill the log.
    static let maximumBytes = 16_384

    let time: LogTime
    let level: Logger.Level
    let service: String
    let message: String
    /// Sorted by name, flat, already redacted.
    let metadata: [(name: String, value: String)]

    /// `{"time":…,"level":…,"service":…,"message":…, then the metadata}` and a line feed. One line, whatever the values
    /// are.
    var json: [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(256)
        line += "{\"time\":\"".utf8
        line += time.text.utf8
        line += "\",\"level\":\"".utf8
        line += level.rawValue.utf8
        line += "\",\"service\":".utf8
        Self.quote(service, into: &line)
        line += ",\"message\":".utf8
        Self.quote(Self.cut(message, to: Self.maximumBytes / 2), into: &line)
        for (name, value) in metadata {
            // A line is cut between entries, so that it stays JSON.
            guard line.count + 2 * (name.utf8.count + value.utf8.count) < Self.maximumBytes else {
                line += ",\"log.cut\":\"true\"".utf8
                break
            }
            line.append(UInt8(ascii: ","))
            Self.quote(Self.isReserved(name) ? "metadata." + name : name, into: &line)
            line.append(UInt8(ascii: ":"))
            Self.quote(value, into: &line)
        }
        line += "}\n".utf8
        return line
    }

    /// `12:03:04.123 INFO  dispatch  message  name=value …` and a line feed.
    var text: [UInt8] {
        let levelText = level.rawValue.uppercased()
        let padding = String(repeating: " ", count: max(0, 8 - levelText.count))
        var line = "\(time.clockText) \(levelText)\(padding) \(service)  \(Self.visible(message))"
        for (name, value) in metadata {
            let needsQuotes = value.isEmpty || value.contains { $0 == " " || $0 == "=" }
            line += "  \(name)=" + (needsQuotes ? "\"\(Self.visible(value))\"" : Self.visible(value))
        }
        return Array(Self.cut(line, to: Self.maximumBytes).utf8) + [UInt8(ascii: "\n")]
    }

    private static func isReserved(_ name: String) -> Bool {
        name == "time" || name == "level" || name == "service" || name == "message"
    }

    /// Replaces control characters, which could move a terminal's cursor or fake a second line.
    private static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else { return text }
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : $0 }))
    }

    private static func cut(_ text: String, to bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        return String(decoding: text.utf8.prefix(bytes), as: UTF8.self) + "…"
    }

    private static func quote(_ text: String, into line: inout [UInt8]) {
        line.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): line += "\\\"".utf8
            case UInt8(ascii: "\\"): line += "\\\\".utf8
            case 0x0a: line += "\\n".utf8
            case 0x0d: line += "\\r".utf8
            case 0x09: line += "\\t".utf8
            case 0..<0x20, 0x7f:
                line += "\\u00".utf8
                line.append(hexadecimalDigit(byte >> 4))
                line.append(hexadecimalDigit(byte & 15))
            default: line.append(byte)
            }
        }
        line.append(UInt8(ascii: "\""))
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
