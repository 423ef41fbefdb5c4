import Crypto
import Foundation
import Glibc

/// Passwords known from breaches, in a local file: sorted lines of SHA-1 in hexadecimal digits, followed by `:` and a
/// count, which is the form of Have I Been Pwned's download. A line may hold only the beginning of a hash.
///
/// The file is searched in place, with some forty reads for each password. Nothing of a password leaves the process.
final class BreachedPasswords: Sendable {
    enum Fault: Error, CustomStringConvertible {
        case unreadable(path: String)
        /// The file is not such a list.
        case malformed

        var description: String {
            switch self {
            case .unreadable(let path): "the list of breached passwords \(path) cannot be read"
            case .malformed: "the list of breached passwords does not hold sorted SHA-1 hashes"
            }
        }
    }

    /// Longer than any line: 40 digits, a count, the end of the line.
    private static let window = 128

    private let descriptor: Int32
    private let size: Int

    /// - Throws: ``Fault``.
    init(path: String) throws(Fault) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path) }
        size = Int(lseek(descriptor, 0, SEEK_END))
        guard size > 0 else {
            close(descriptor)
            throw .unreadable(path: path)
        }
        _ = try line(around: 0)
    }

    deinit { close(descriptor) }

    /// Reads the file: must not run on a thread that may not block.
    ///
    /// - Throws: ``Fault``.
    func contains(_ password: String) throws(Fault) -> Bool {
        let hash = Insecure.SHA1.hash(data: Data(PasswordRule.normalized(password).utf8))
        let digits = hash.flatMap { [Self.digit($0 >> 4), Self.digit($0 & 15)] }
        // Finds the last line that does not sort after the hash: only this line can be its beginning.
        var candidate: [UInt8] = []
        var (low, high) = (0, size)
        while low < high {
            let line = try line(around: low + (high - low) / 2)
            if digits.lexicographicallyPrecedes(line.digits) {
                high = line.start
            } else {
                candidate = line.digits
                low = line.end
            }
        }
        return !candidate.isEmpty && digits.starts(with: candidate)
    }

    /// The line that contains the byte at `offset`. `end` is the position after its line feed.
    private func line(around offset: Int) throws(Fault) -> (start: Int, end: Int, digits: [UInt8]) {
        let from = max(0, offset - Self.window)
        var bytes = [UInt8](repeating: 0, count: 2 * Self.window)
        let count = pread(descriptor, &bytes, bytes.count, from)
        let here = offset - from
        guard count > here else { throw .malformed }
        let feed = UInt8(ascii: "\n")
        let start = bytes[..<here].lastIndex(of: feed).map { $0 + 1 } ?? 0
        guard start > 0 || from == 0 else { throw .malformed }
        let feedAt = bytes[here..<count].firstIndex(of: feed)
        guard feedAt != nil || from + count == size else { throw .malformed }
        let digits = bytes[start..<(feedAt ?? count)].prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "\r") }
            .map(Self.upper)
        guard (5...40).contains(digits.count), digits.allSatisfy(Self.isDigit) else { throw .malformed }
        return (from + start, from + (feedAt.map { $0 + 1 } ?? count), digits)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x41 + value - 10 }
    private static func upper(_ byte: UInt8) -> UInt8 { (0x61...0x66).contains(byte) ? byte - 0x20 : byte }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) }
}
