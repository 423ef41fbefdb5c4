import Foundation
import Glibc

/// The system whose PostgreSQL and RabbitMQ are started: this machine's, or another Debian's in a folder (`SERAI_SERVERS`,
/// which `scripts/debian13` makes).
public struct ServerSystem: Sendable {
    let project: Project
    /// Nil: this machine's.
    let root: String?
    /// Such as `15`.
    let postgresVersion: String

    /// - Parameter root: of the other Debian.
    public init(project: Project, root: String? = nil) throws {
        self.project = project
        self.root = root
        let versions = "\(root ?? "")/usr/lib/postgresql"
        let found = ProcFile.names(in: versions).filter { Int($0) != nil }.max { (Int($0) ?? 0) < (Int($1) ?? 0) }
        guard let found else { throw PlatformError("there is no PostgreSQL in \(versions); run scripts/install") }
        // Of several on this machine the one that scripts/install installs.
        let own = FileManager.default.fileExists(atPath: "\(versions)/15/bin/postgres") ? "15" : found
        postgresVersion = root == nil ? own : found
    }

    /// The one that the environment names.
    public init(project: Project, variables: [String: String]) throws {
        try self.init(project: project, root: variables.named("SERAI_SERVERS")?.trimmingSlash)
    }

    /// The name of its folder of servers under `.local`; nil for this machine's.
    var name: String? { root.map { "servers-\(URL(filePath: $0).lastPathComponent)" } }

    var postgresPrograms: String { "/usr/lib/postgresql/\(postgresVersion)/bin" }

    func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: (root ?? "") + path) }

    /// The words before a command that is to run there.
    var inside: [String] { root.map { [project.path("scripts/inside"), $0] } ?? [] }

    /// The words before a command of the user postgres: PostgreSQL refuses to run as root.
    var asPostgres: [String] {
        let user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"]
        return inside + (geteuid() == 0 ? user : [])
    }

    /// The library that makes fsync and its like do nothing.
    func unsyncedLibrary() throws -> String { try Self.library("libeatmydata.so", package: "libeatmydata1") }

    /// The path of a library that is put before others, by its name in the folder of the machine's kind.
    static func library(_ name: String, package: String) throws -> String {
        let folders = ProcFile.names(in: "/usr/lib").sorted().map { "/usr/lib/\($0)/\(name)" }
        guard let found = folders.first(where: FileManager.default.fileExists) else {
            throw PlatformError("\(package) is not installed; run scripts/install")
        }
        return found
    }
}

/// The options with which a server is started.
public struct ServerOptions: Sendable {
    /// It takes TLS connections, too.
    public var hasTLS = false
    /// It waits for the disk. Without that a killed process loses nothing, a machine without power may.
    public var isSynced = true
    /// PostgreSQL's settings, each as `name=value`.
    public var settings: [String] = []
    /// The words before the server's command, such as `chrt --batch 0`.
    public var runner: [String] = []

    public init(hasTLS: Bool = false, isSynced: Bool = true, settings: [String] = [], runner: [String] = []) {
        self.hasTLS = hasTLS
        self.isSynced = isSynced
        self.settings = settings
        self.runner = runner
    }
}

/// A server of this project, in a folder by which it is found.
public protocol LocalServer: Sendable {
    /// Starts it, unless it runs; returns when it answers.
    func start() async throws
    /// In order.
    func stop() async throws
    /// `kill -9` of all its processes; returns when they have ended.
    func kill() async throws
    func restart() async throws
    /// Ends it and deletes its data and its folder.
    func remove() async throws
    var isRunning: Bool { get }
}

/// An authority and a certificate of it for `localhost` and `127.0.0.1`, for ten years.
struct Certificates {
    let folder: StateFolder

    var authority: String { folder.path("ca.pem") }

    func make() async throws {
        guard !folder.has("server.pem") else { return }
        try folder.create(isPrivate: true)
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        func path(_ name: String) -> String { folder.path(name) }
        try folder.write("subjectAltName=DNS:localhost,IP:127.0.0.1", to: "names")
        for arguments in [
            ["req", "-x509"] + key + [
                "-days", "3650", "-subj", "/CN=serai test authority", "-keyout", path("ca.key"), "-out", path("ca.pem"),
            ],
            ["req"] + key + ["-subj", "/CN=localhost", "-keyout", path("server.key"), "-out", path("server.csr")],
            [
                "x509", "-req", "-in", path("server.csr"), "-CA", path("ca.pem"), "-CAkey", path("ca.key"),
                "-CAcreateserial", "-days", "3650", "-extfile", path("names"), "-out", path("server.pem.new"),
            ],
        ] {
            try await Command(["openssl"] + arguments).run(within: .seconds(60))
        }
        guard rename(path("server.pem.new"), path("server.pem")) == 0 else {
            throw PlatformError("no certificate in \(folder.path)")
        }
    }
}
