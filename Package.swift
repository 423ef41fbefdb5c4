// swift-tools-version: 6.2

import PackageDescription

// Warnings are errors in continuous integration; a newer compiler's new warning must not stop a developer.
let strict: [SwiftSetting] = Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

// See Shared/Locks.
let sanitized: [SwiftSetting] = Context.environment["SERAI_SANITIZE"] == nil ? [] : [.define("SERAI_SANITIZE")]

/// libFuzzer's library, with which scripts/fuzz-parsers builds (see Tests/Fuzzing); nil in every other build.
let fuzzer = Context.environment["SERAI_FUZZER_LIBRARY"]
let fuzzed: [SwiftSetting] =
    fuzzer == nil ? [] : [.define("SERAI_FUZZ"), .unsafeFlags(["-sanitize=fuzzer", "-O"])]
let fuzzing: [LinkerSetting] = fuzzer.map { [.unsafeFlags([$0, "-lstdc++", "-lm"])] } ?? []

let swiftSettings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        // An async function runs where its caller runs, unless it says otherwise: no hidden thread hops.
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + strict + sanitized + fuzzed

let collections = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTesting = Target.Dependency.product(name: "HummingbirdTesting", package: "hummingbird")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let jwt = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOFoundationCompat"].map {
    Target.Dependency.product(name: $0, package: "swift-nio")
}
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let argon = Target.Dependency.target(name: "CArgon2")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let tls = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")

func shared(
    _ name: String,
    _ dependencies: [Target.Dependency],
    exclude: [String] = ["README.md"],
    resources: [Resource]? = nil,
    settings: [SwiftSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Shared/\(name)", exclude: exclude, resources: resources,
        swiftSettings: swiftSettings + settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, swiftSettings: swiftSettings)
}

func program(_ name: String, _ dependencies: [Target.Dependency], path: String) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: swiftSettings)
}

/// What every service is made of.
let serviceParts: [Target.Dependency] =
    [
        "ServiceKit", "Contracts", "LiveMarkets", "SeraiJSON", "Messaging", "Postgres", "AMQP", "Locks", "PollThread",
        hummingbird,
        arguments, logging, metrics, lifecycle,
    ] + nio

/// A service is the module `SeraiName` and the program `name`. (A module `Dispatch` is in every Swift toolchain.)
/// - Parameter embedded: folders whose files are a part of the program, beside those that every service has.
func service(_ name: String, _ dependencies: [Target.Dependency] = [], embedded: [String] = []) -> Target {
    .executableTarget(
        name: "Serai\(name)", dependencies: serviceParts + dependencies, path: "Services/\(name)",
        exclude: ["README.md", "Migrations"],
        resources: (["Catalogues", "openapi.yaml"] + embedded).map { .embedInCode($0) },
        swiftSettings: swiftSettings, linkerSettings: fuzzing, plugins: ["MigrationFiles"])
}

let services = ["Identity", "Dispatch", "Wallet", "Notifications", "Admin"]

let package = Package(
    name: "serai",
    platforms: [.macOS(.v15)],
    products: services.map { .executable(name: $0.lowercased(), targets: ["Serai\($0)"]) } + [
        .executable(name: "sandbox", targets: ["Sandbox"]),
        .executable(name: "serai-dev", targets: ["SeraiDev"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(
            url: "https://github.com/apple/swift-configuration", from: "1.0.0",
            traits: [.defaults, "CommandLineArguments"]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0", traits: ["FullFoundation"]),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.0.0"),
    ],
    targets: [
        // `MigrationFiles.all` of each service, from its folder.
        .executableTarget(name: "ListMigrations", path: "Plugins/ListMigrations"),
        .plugin(
            name: "MigrationFiles", capability: .buildTool(), dependencies: ["ListMigrations"],
            path: "Plugins/MigrationFiles"),

        .systemLibrary(name: "CLibPQ", path: "Shared/CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(
            name: "CRabbitMQ", path: "Shared/CRabbitMQ", pkgConfig: "librabbitmq",
            providers: [.apt(["librabbitmq-dev", "libssl-dev"])]),
        .systemLibrary(
            name: "CCurl", path: "Shared/CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),

        // Unoptimised, it would cost the tests much of their time.
        .target(
            name: "SeraiJSON", path: "Shared/JSON", exclude: ["README.md"],
            swiftSettings: swiftSettings + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        shared("Locks", []),
        shared("PollThread", ["Locks"]),
        shared("Postgres", ["CLibPQ", "Locks", "PollThread", collections, logging, metrics, crypto]),
        shared("AMQP", ["CRabbitMQ", "Locks", "PollThread", collections, logging, metrics]),
        shared("Mail", ["CCurl", "PollThread"]),
        shared(
            "Messaging", ["SeraiJSON", "Postgres", "AMQP", "Locks", "PollThread", logging, metrics, lifecycle],
            resources: [.embedInCode("Migrations")]),
        shared(
            "ServiceKit",
            [
                "Contracts", "SeraiJSON", "Messaging", "Postgres", "AMQP", "Locks", "PollThread", hummingbird, jwt,
                configuration, arguments, logging, metrics, lifecycle, crypto, cryptoExtras, tls, httpClient,
            ] + nio,
            resources: [.embedInCode("Migrations"), .embedInCode("Catalogues")]),
        .systemLibrary(
            name: "CArgon2", path: "Shared/CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        shared("Contracts", ["SeraiJSON", "Messaging"]),
        // Unoptimised, its searches took almost half of the tests' processor time.
        shared("Matching", [], settings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        shared("PrayerTimes", []),
        shared(
            "LiveMarkets",
            [
                "ServiceKit", "Contracts", "SeraiJSON", "Messaging", "Postgres", "Locks", "PollThread", logging,
                lifecycle,
            ],
            resources: [.embedInCode("Migrations")]),

        service("Identity", ["Matching", argon, crypto, cryptoExtras, jwt, httpClient]),
        service("Dispatch", ["Matching", httpClient, crypto]),
        service("Wallet", [httpClient, crypto]),
        service("Notifications", ["Mail", httpClient, crypto, cryptoExtras]),
        service(
            "Admin", ["PrayerTimes", "Matching", httpClient, crypto, mustache],
            embedded: ["Content/Seeds", "Site/Templates"]),
        .executableTarget(
            name: "Sandbox", dependencies: [hummingbird, httpClient, arguments, crypto, logging, lifecycle, tls] + nio,
            path: "Services/Sandbox",
            exclude: ["README.md"], swiftSettings: swiftSettings),

        // Without packages, so that `serai-dev` is built within a minute.
        shared("LocalPlatform", ["SeraiJSON"]),
        shared(
            "TestKit",
            ["LocalPlatform", "Postgres", "Locks", "PollThread", logging, crypto, httpClient, collections, yams] + nio),

        tests("PollThreadTests", ["PollThread", "Locks", "TestKit"]),
        tests("PostgresTests", ["Postgres", "Locks", "TestKit"]),
        tests("AMQPTests", ["AMQP", "Locks", "TestKit"]),
        tests("JSONTests", ["SeraiJSON", "TestKit"]),
        tests("MessagingTests", ["Messaging", "SeraiJSON", "Locks", "AMQP", "Postgres", "TestKit", lifecycle]),
        tests(
            "ServiceKitTests",
            [
                "ServiceKit", "SeraiJSON", "Messaging", "Postgres", "PollThread", "TestKit", "LocalPlatform",
                httpClient,
                hummingbirdTesting, crypto, cryptoExtras,
            ]),
        tests("TestKitTests", ["TestKit"]),
        tests(
            "ContractTests", ["Contracts", "SeraiJSON", "Messaging", "AMQP", "Postgres", "TestKit", yams],
            exclude: ["Golden"]),
        tests(
            "IdentityTests",
            ["SeraiIdentity", "Sandbox", "TestKit", httpClient, hummingbirdTesting, jwt, crypto, cryptoExtras]),
        tests("DispatchTests", ["SeraiDispatch", "Matching", "TestKit", httpClient, hummingbirdTesting]),
        tests("PrayerTimesTests", ["PrayerTimes"]),
        tests("MatchingTests", ["Matching", "MealDelivery", "TestKit"]),
        tests("WalletTests", ["SeraiWallet", "Sandbox", "TestKit", httpClient, hummingbirdTesting]),
        tests(
            "NotificationsTests",
            ["SeraiNotifications", "Mail", "Sandbox", "TestKit", httpClient, hummingbirdTesting, crypto, cryptoExtras]),
        tests("AdminTests", ["SeraiAdmin", "TestKit", httpClient, hummingbirdTesting]),
        tests("SandboxTests", ["Sandbox", "TestKit", httpClient, crypto]),
        tests(
            "FlowTests",
            [
                "Phones", "Contracts", "Messaging", "AMQP", "Postgres", "ServiceKit", "TestKit", httpClient, logging,
                "SeraiIdentity", "SeraiDispatch", "SeraiWallet", "SeraiNotifications", "SeraiAdmin", "Sandbox",
                "Simulator", "Walk", "LocalPlatform",
            ] + nio),
        tests("FaultTests", ["SeraiWallet", "Postgres", "TestKit", "Courier"]),
        tests("ArchitectureTests", ["RequirementReading"]),
        .testTarget(
            name: "FuzzingTests",
            dependencies: [
                "AMQP", "Contracts", "Matching", "Messaging", "SeraiAdmin", "SeraiDispatch", "SeraiIdentity",
                "SeraiJSON", "SeraiNotifications", "SeraiWallet", "ServiceKit", httpClient, hummingbird, logging,
            ],
            path: "Tests/Fuzzing", exclude: ["README.md", "Seeds", "Found"], swiftSettings: swiftSettings,
            linkerSettings: fuzzing),
        tests("LocalPlatformTests", ["LocalPlatform", "TestKit", "BenchResults"]),

        .target(
            name: "RequirementReading", path: "Tests/RequirementReading", swiftSettings: swiftSettings),
        program(
            "SeraiDev", ["LocalPlatform", "RequirementReading", "BenchResults", arguments], path: "Tests/SeraiDev"),
        .target(
            name: "Phones", dependencies: ["Contracts", "SeraiJSON", "Messaging", httpClient, logging, crypto] + nio,
            path: "Tests/Phones",
            swiftSettings: swiftSettings),
        program("Simulator", ["Phones", "Contracts", arguments, httpClient, logging], path: "Tests/Simulator"),
        program("Walk", ["Phones", "Contracts", arguments, httpClient, logging], path: "Tests/Walk"),

        .executableTarget(
            name: "Courier", dependencies: ["ServiceKit", "Messaging", "Postgres", "AMQP", "PollThread", lifecycle],
            path: "Tests/Fixtures/Courier", resources: [.embedInCode("Migrations")], swiftSettings: swiftSettings),
        program(
            "BenchGround", ["LocalPlatform", "Messaging", "Postgres", "AMQP", "TestKit", arguments],
            path: "Tests/Benchmarks/Ground"),
        .target(name: "BenchResults", path: "Tests/Benchmarks/Results", swiftSettings: swiftSettings),
        program(
            "BenchIdentity",
            [
                "BenchResults", "Contracts", "LocalPlatform", "ServiceKit", "Messaging", "Postgres", "TestKit", argon,
                crypto,
                jwt, arguments, httpClient,
            ] + nio,
            path: "Tests/Benchmarks/Identity"),
        .target(
            name: "MealDelivery", dependencies: ["Matching"], path: "Tests/MealDelivery",
            swiftSettings: swiftSettings),
        program(
            "BenchWallet",
            [
                "BenchResults", "LocalPlatform", "Contracts", "Messaging", "Postgres", "AMQP", "Locks", "TestKit",
                arguments,
            ],
            path: "Tests/Benchmarks/Wallet"),
        program(
            "BenchNotifications",
            [
                "BenchResults", "LocalPlatform", "Contracts", "ServiceKit", "SeraiJSON", "Messaging", "Postgres",
                "AMQP",
                "TestKit", jwt, arguments, httpClient,
            ] + nio,
            path: "Tests/Benchmarks/Notifications"),
        program(
            "BenchDispatch",
            ["BenchResults", "Matching", "MealDelivery", "Postgres", "TestKit", hummingbird, arguments],
            path: "Tests/Benchmarks/Dispatch"),
        .executableTarget(
            name: "RawAMQP", dependencies: ["CRabbitMQ"], path: "Tests/Benchmarks/RawAMQP", cSettings: []),
    ]
)

// With libFuzzer only its own tests are built: each program of a test would need the library, too.
if fuzzer != nil { package.targets.removeAll { $0.type == .test && $0.name != "FuzzingTests" } }
