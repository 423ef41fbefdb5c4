import Foundation

/// A run's database with the deployment's archiving: its log goes to a pgBackRest store beside its data all the time, and
/// `deploy/backup` makes copies and goes back.
struct DatabaseArchive: Sendable {
    /// The server as it is started with archiving.
    let server: PostgresServer
    private let data: String
    private let folder: StateFolder

    /// How old at most what is not archived may be; a deployment says 60.
    static let timeoutSeconds = 5

    /// - Throws: ``PlatformError`` where the server has no Unix socket, by which pgBackRest asks it.
    init(_ ground: ChaosGround) async throws {
        let postgres = ground.postgres
        guard let data = postgres.dataFolder, let socket = postgres.socket else {
            throw PlatformError("the database has no socket for pgBackRest")
        }
        self.data = data
        folder = StateFolder(PostgresServer.archive(beside: data))
        let settings = [
            "archive_mode=on", "archive_timeout=\(Self.timeoutSeconds)", "archive_command=pgbackrest archive-push %p",
        ]
        let system = try ServerSystem(project: ground.run.project, variables: ground.record.variables)
        server = PostgresServer(
            folder: ground.run.state.path("postgres"), system: system,
            options: ServerOptions(settings: settings, runner: ground.turns.batch + [folder.path("with")]))
        let address = try ServerAddress(postgres.url ?? "")
        try await prepare(
            [
                "POSTGRES_USER": address.user, "POSTGRES_DB": "postgres", "POSTGRES_PASSWORD": address.password,
                "PGBACKREST_STANZA": "serai", "PGBACKREST_CONFIG": folder.path("pgbackrest.conf"),
                "PGBACKREST_PG1_PATH": data, "PGBACKREST_PG1_PORT": "\(address.port)",
                "PGBACKREST_PG1_SOCKET_PATH": socket, "PGBACKREST_LOCK_PATH": folder.path("locks"),
                "PGBACKREST_REPO1_PATH": folder.path("store"), "PGBACKREST_REPO1_CIPHER_PASS": Secret.hexadecimal(),
                "SERAI_BACKUP_MARK": folder.path("made"),
            ], from: ground.run.project)
    }

    /// The deployment's own script and configuration, where the user postgres may read them, and a program that runs another
    /// one with the variables: so no secret stands in a command line.
    private func prepare(_ variables: [String: String], from project: Project) async throws {
        try folder.remove()
        try folder.create(isPrivate: true)
        let lines = variables.sorted { $0.key < $1.key }.map { "export \($0.key)='\($0.value)'" }
        let files = [
            "with": (["#!/bin/sh"] + lines + ["exec \"$@\""]).joined(separator: "\n"),
            "backup": try String(contentsOfFile: project.path("deploy/backup/backup"), encoding: .utf8),
            "pgbackrest.conf": try String(
                contentsOfFile: project.path("deploy/backup/pgbackrest.conf"), encoding: .utf8),
        ]
        for (name, text) in files {
            try folder.write(text + "\n", to: name, isPrivate: true)
            chmod(folder.path(name), 0o700)
            try await server.own(folder.path(name))
        }
        try await server.own(folder.path)
    }

    /// Makes the running server one that archives, and the first copy.
    func begin() async throws {
        try await server.stop()
        try await server.start()
        try await copy()
    }

    func copy() async throws { try await backup("now", "full") }
    /// Returns when all that is committed is archived.
    func flush() async throws { try await backup("flush") }
    /// - Parameter moment: nil is the last one that was archived.
    func restore(to moment: Date?) async throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        try await backup("restore", moment?.formatted(style) ?? "latest")
    }

    private func backup(_ words: String...) async throws {
        try await server.owned([folder.path("with"), folder.path("backup")] + words)
    }

    /// `kill -9` of the server, and nothing is left of its files.
    func destroy() async throws {
        try await server.kill()
        let files = StateFolder(data)
        try files.remove()
        try files.create(isPrivate: true)
        try await server.own(data)
    }
}
