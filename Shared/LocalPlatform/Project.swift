import Foundation
import Glibc

/// The project's folder, and what lies at fixed places in it.
public struct Project: Sendable {
    /// Absolute, without a slash at the end.
    public let folder: String

    public init(folder: String) { self.folder = folder }

    /// The one that the running program was built in: the folder with `Package.swift` above the program's own, else above
    /// the current one.
    public static let current: Project = {
        // try?: on another system there is none.
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        for start in [program, FileManager.default.currentDirectoryPath] {
            var folder = URL(filePath: start).standardizedFileURL
            while folder.path() != "/" {
                let manifest = folder.appending(path: "Package.swift").path(percentEncoded: false)
                if FileManager.default.fileExists(atPath: manifest) {
                    return Project(folder: folder.path(percentEncoded: false).trimmingSlash)
                }
                folder.deleteLastPathComponent()
            }
        }
        return Project(folder: FileManager.default.currentDirectoryPath)
    }()

    /// Everything that is made here and not kept.
    public var local: String { "\(folder)/.local" }

    public func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// For people: from the project's folder on, where it lies in it.
    public func short(_ path: String) -> String {
        path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
    }

    /// A program of the package: beside the running one, else among those of the debug build.
    /// - Throws: ``PlatformError`` when it is not built.
    public func program(_ name: String) throws -> String {
        let beside = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let tried = [beside.appending(path: name).path(percentEncoded: false), path(".build/debug/\(name)")]
        guard let found = tried.first(where: FileManager.default.isExecutableFile) else {
            throw PlatformError("\(name) is not built; there is none of \(tried.joined(separator: ", "))")
        }
        return found
    }

    /// A program that `scripts/install` has fetched.
    /// - Throws: ``PlatformError`` when there is none.
    public func tool(_ name: String) throws -> String {
        let tools = "\(local)/tools"
        // try?: no folder is no tool.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: tools)) ?? []
        guard let newest = names.filter({ $0.hasPrefix("\(name)-") }).max() else {
            throw PlatformError("\(name) is not in \(tools); run scripts/install")
        }
        return "\(tools)/\(newest)"
    }
}

extension [String: String] {
    /// The variable of that name; an empty one counts as absent.
    public func named(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}

extension String {
    var trimmingSlash: String { count > 1 && hasSuffix("/") ? String(dropLast()) : self }
}

/// Something of the local platform failed. The text is for a developer and holds no password.
public struct PlatformError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
