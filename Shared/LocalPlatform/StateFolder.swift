import Foundation
import Glibc

/// A folder in which a server or a run keeps what it must know again: ports, passwords, addresses, logs.
public struct StateFolder: Sendable {
    /// Absolute, without a slash at the end.
    public let path: String

    public init(_ path: String) { self.path = path.trimmingSlash }

    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes the folder, or one in it.
    /// - Parameter isPrivate: nobody but its owner enters it.
    public func create(_ name: String? = nil, isPrivate: Bool = false) throws {
        let attributes: [FileAttributeKey: Any]? = isPrivate ? [.posixPermissions: 0o700] : nil
        try FileManager.default.createDirectory(
            atPath: name.map(path(_:)) ?? path, withIntermediateDirectories: true, attributes: attributes)
    }

    public var exists: Bool { FileManager.default.fileExists(atPath: path) }

    public func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// The file's content without the end of the line; nil for an absent or empty file.
    public func text(_ name: String) -> String? {
        // try?: no file is no text.
        guard let text = try? String(contentsOfFile: path(name), encoding: .utf8) else { return nil }
        let trimmed = text.trimmingCharacters(in: .newlines)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Writes the whole file or none of it.
    /// - Parameter isPrivate: nobody but its owner reads it.
    public func write(_ text: String, to name: String, isPrivate: Bool = false) throws {
        let new = path(name) + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
        guard descriptor >= 0 else {
            throw PlatformError("\(new) cannot be written: \(String(cString: strerror(errno)))")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data(text.hasSuffix("\n") ? text.utf8 : (text + "\n").utf8))
        try file.close()
        guard rename(new, path(name)) == 0 else { throw PlatformError("\(path(name)) cannot be written") }
    }

    /// The file's content. An absent file is first made with a new text that only the owner can read.
    public func kept(_ name: String, _ make: () throws -> String) throws -> String {
        if let text = text(name) { return text }
        let text = try make()
        try write(text, to: name, isPrivate: true)
        return text
    }

    /// Removes the folder, or what is in it under this name.
    public func remove(_ name: String? = nil) throws {
        let path = name.map(path(_:)) ?? path
        guard FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.removeItem(atPath: path)
    }

    /// The last lines of a log, for whom it has failed.
    public func lastLines(_ name: String, _ count: Int = 3) -> String {
        (text(name) ?? "").split(separator: "\n").suffix(count).joined(separator: "\n")
    }
}

/// Passwords and keys that nobody guesses: from the system's own random numbers.
public enum Secret {
    /// As many bytes, two digits for each.
    public static func hexadecimal(bytes: Int = 16) -> String {
        (0..<bytes).map { _ in
            let text = String(UInt8.random(in: 0...255), radix: 16)
            return text.count == 1 ? "0\(text)" : text
        }.joined()
    }

    /// The secret in an authenticator app's form: 20 bytes, five bits a letter.
    public static func base32() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        return String((0..<32).map { _ in letters[Int.random(in: 0..<32)] })
    }
}
