import Foundation
import Glibc

/// A private RabbitMQ node on loopback ports, with its own port mapper (epmd), name, cookie and data, in a folder that keeps
/// all of it. Not for two callers at once.
public struct RabbitServer: LocalServer {
    private let state: StateFolder
    private let system: ServerSystem
    private let options: ServerOptions
    // The lib folder's programs: those in /usr/sbin insist on the user rabbitmq and its folders.
    private static let programs = "/usr/lib/rabbitmq/bin"

    struct Ports {
        let amqp, amqps, management, distribution, mapper: Int
    }

    public init(folder: String, system: ServerSystem, options: ServerOptions = ServerOptions()) {
        state = StateFolder(folder)
        self.system = system
        self.options = options
    }

    /// `amqp://user:password@127.0.0.1:port/` of the administrator; nil before the first start. Never log it.
    public var url: String? { state.text("url") }
    /// `amqps://user:password@localhost:port/`, if started with TLS.
    public var tlsURL: String? { state.text("tls-url") }
    /// `http://user:password@127.0.0.1:port` of the management API.
    public var managementURL: String? { state.text("management-url") }
    /// The path of the authority's certificate (PEM) that signed the server's, if started with TLS.
    public var authority: String { certificates.authority }

    private var certificates: Certificates { Certificates(folder: StateFolder(state.path("tls"))) }
    private var node: String { "serai-\(Fingerprint.of(state.path))@localhost" }
    private var mnesia: String { state.path("mnesia") }

    // MARK: Which processes it has

    public var isRunning: Bool { server != nil }

    /// The process of the node, which is the one that was started.
    var server: RunningProcess? { Mark.first("rabbitmq", in: state.path) }
    private var mapper: RunningProcess? { Mark.first("epmd", in: state.path) }

    private var knownPorts: Ports? {
        let numbers = (state.text("ports") ?? "").split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 5 else { return nil }
        return Ports(
            amqp: numbers[0], amqps: numbers[1], management: numbers[2], distribution: numbers[3], mapper: numbers[4])
    }

    // MARK: Starting

    public func start() async throws {
        if isRunning { return }
        guard system.has("\(Self.programs)/rabbitmq-server") else {
            throw PlatformError("rabbitmq-server is not installed; run scripts/install")
        }
        try state.create()
        if knownPorts == nil {
            let ports = try FreePorts.take(5, in: system.project)
            try state.write(ports.map(String.init).joined(separator: " "), to: "ports")
        }
        guard let ports = knownPorts else { throw PlatformError("\(state.path)/ports holds no ports") }
        try await configure(ports)
        let console = ChildProcess.Output.appended(to: state.path("console"))
        if mapper == nil {
            let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
            let words = system.inside + ["epmd", "-address", "127.0.0.1", "-port", "\(ports.mapper)"]
            _ = try ChildProcess(Command(words, environment: path).with(mark("epmd")), output: console)
        }
        var variables = variables(ports).merging(mark("rabbitmq")) { $1 }
        if !options.isSynced { variables["LD_PRELOAD"] = try system.unsyncedLibrary() }
        let words = options.runner + ["env", "-C", state.path] + system.inside + ["\(Self.programs)/rabbitmq-server"]
        let child = try ChildProcess(Command(words, environment: variables), output: console)
        let login = "serai:\(try password())"
        // The management listener opens first, the AMQP listeners last.
        let answers = try await waits(within: .seconds(180), poll: .milliseconds(50)) {
            guard child.isRunning else {
                throw PlatformError(
                    "RabbitMQ ended while starting: \(state.lastLines("log")) \(state.lastLines("console"))")
            }
            guard FreePorts.answers(ports.amqp) else { return false }
            return await HTTPProbe.answers(port: ports.management, path: "/api/overview", login: login)
        }
        guard answers else {
            throw PlatformError("RabbitMQ does not answer on port \(ports.amqp): \(state.lastLines("log"))")
        }
        try await keepDeadLetterWorkersApart()
    }

    private func password() throws -> String { try state.kept("password") { Secret.hexadecimal() } }

    private func mark(_ name: String) -> [String: String] { Mark(folder: state.path, name: name).variables }

    private func configure(_ ports: Ports) async throws {
        for name in ["home", "mnesia", "logs", "generated", "schema", "plugins"] { try state.create(name) }
        let password = try password()
        _ = try state.kept("home/.erlang.cookie") { Secret.hexadecimal() }
        chmod(state.path("home/.erlang.cookie"), 0o400)
        try state.write("[rabbitmq_management].", to: "enabled_plugins")
        // How often a quorum queue reports its depth; 5 s by default, too slow for a test that waits for a depth.
        try state.write("[{rabbit, [{quorum_tick_interval, 500}]}].", to: "advanced.config")
        var lines = [
            "listeners.tcp.1 = 127.0.0.1:\(ports.amqp)", "management.tcp.ip = 127.0.0.1",
            "management.tcp.port = \(ports.management)", "default_user = serai", "default_pass = \(password)",
        ]
        if options.hasTLS {
            try await certificates.make()
            lines += [
                "listeners.ssl.1 = 127.0.0.1:\(ports.amqps)", "ssl_options.cacertfile = \(certificates.authority)",
                "ssl_options.certfile = \(certificates.folder.path("server.pem"))",
                "ssl_options.keyfile = \(certificates.folder.path("server.key"))",
                "ssl_options.verify = verify_none", "ssl_options.fail_if_no_peer_cert = false",
            ]
            try state.write("amqps://serai:\(password)@localhost:\(ports.amqps)/", to: "tls-url", isPrivate: true)
        }
        try state.write(lines.joined(separator: "\n"), to: "rabbitmq.conf", isPrivate: true)
        try state.write("amqp://serai:\(password)@127.0.0.1:\(ports.amqp)/", to: "url", isPrivate: true)
        try state.write(
            "http://serai:\(password)@127.0.0.1:\(ports.management)", to: "management-url", isPrivate: true)
    }

    /// Nothing of the caller's environment or of /etc/rabbitmq reaches the node.
    private func variables(_ ports: Ports) -> [String: String] {
        [
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8",
            "HOME": state.path("home"), "ERL_EPMD_PORT": "\(ports.mapper)", "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": node, "RABBITMQ_CONF_ENV_FILE": "/dev/null",
            "RABBITMQ_CONFIG_FILE": state.path("rabbitmq.conf"),
            "RABBITMQ_ADVANCED_CONFIG_FILE": state.path("advanced.config"), "RABBITMQ_MNESIA_BASE": mnesia,
            "RABBITMQ_LOG_BASE": state.path("logs"), "RABBITMQ_LOGS": state.path("log"),
            "RABBITMQ_GENERATED_CONFIG_DIR": state.path("generated"), "RABBITMQ_SCHEMA_DIR": state.path("schema"),
            "RABBITMQ_PLUGINS_EXPAND_DIR": state.path("plugins"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": state.path("enabled_plugins"),
            "RABBITMQ_PID_FILE": state.path("erlang.pid"), "RABBITMQ_DIST_PORT": "\(ports.distribution)",
            "RABBITMQ_CTL_DIST_PORT_MIN": "35672", "RABBITMQ_CTL_DIST_PORT_MAX": "35872",
            // Started without a wrapping shell, so that the process that was started is the node itself.
            "RABBITMQ_ALLOW_INPUT": "1",
            "RABBITMQ_SERVER_START_ARGS": "-noinput -kernel inet_dist_use_interface {127,0,0,1}",
            // An idle node burns no processor time.
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+sbwt none +sbwtdcpu none +sbwtdio none",
        ]
    }

    /// RabbitMQ 3.10 ends its dead-letter supervisor for good when two of its workers fail within 5 s, and from then on
    /// refuses publishes to every quorum queue that dead-letters at least once, until the node is restarted. A worker fails
    /// when its queue is deleted in the moment it starts, which tests do all the time. A worker that is not started again
    /// harms nobody.
    private func keepDeadLetterWorkersApart() async throws {
        try await ctl([
            "-q", "eval",
            """
            sys:replace_state(rabbit_fifo_dlx_sup, fun(S) -> {Names, Children} = element(4, S),
                setelement(4, S, {Names, maps:map(fun(_, C) -> setelement(5, C, temporary) end, Children)}) end), ok.
            """,
        ])
    }

    /// Runs `rabbitmqctl` against this node, about 0.7 s, and returns what it printed. Without a node it would start a port
    /// mapper and leave it behind.
    @discardableResult
    public func ctl(_ arguments: [String]) async throws -> String {
        guard isRunning, let ports = knownPorts else { throw PlatformError("the node in \(state.path) does not run") }
        let words = ["env", "-C", state.path] + system.inside + ["\(Self.programs)/rabbitmqctl"] + arguments
        return try await Command(words, environment: variables(ports).merging(mark("tool")) { $1 })
            .run(within: .seconds(120))
    }

    // MARK: Ending

    /// In order.
    public func stop() async throws { try await end(by: SIGTERM) }

    /// In order, and started again.
    public func restart() async throws {
        try await stop()
        try await start()
    }

    public func kill() async throws { try await end(by: SIGKILL) }

    private func end(by signal: Int32) async throws {
        if let server { try await [server].end(by: signal, within: .seconds(60)) }
        // The processes of a run that was ended while it started.
        try await Mark.processes(in: state.path).map(\.process).end(by: SIGKILL, within: .seconds(10))
    }

    public func remove() async throws {
        guard state.exists else { return }
        try await Mark.end(in: state.path, within: .seconds(5)) { $0 == "tool" }
        try await kill()
        try await Mark.end(in: state.path, within: .seconds(5))
        try state.remove()
    }
}
