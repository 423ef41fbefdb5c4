#if SERAI_FUZZ
import Foundation

/// libFuzzer, which makes inputs that reach new code, and gives each to a parser.
enum Fuzzer {
    /// The one that `SERAI_FUZZ_PARSER` names.
    nonisolated(unsafe) private static var parser: Parser?

    /// - Parameter environment: `SERAI_FUZZ_ARGUMENTS` has libFuzzer's arguments, a line each.
    static func run(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        let name = environment["SERAI_FUZZ_PARSER"]
        parser = Parser.all.first { $0.name == name }
        guard parser != nil else { fatalError("there is no parser \(name ?? ""): \(Parser.all)") }
        let arguments =
            ["fuzz"] + (environment["SERAI_FUZZ_ARGUMENTS"] ?? "").split(separator: "\n").map(String.init)
        var count = CInt(arguments.count)
        var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = .allocate(capacity: arguments.count + 1)
        for (index, argument) in arguments.enumerated() { list?[index] = strdup(argument) }
        list?[arguments.count] = nil
        exit(drive(&count, &list, testOneInput))
    }

    fileprivate static func test(_ bytes: [UInt8]) {
        do {
            try parser?.run(bytes)
        } catch {
            fatalError("\(error)")
        }
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzzer.test(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// libFuzzer's main: the tests' runner has one of its own.
@_silgen_name("LLVMFuzzerRunDriver")
private func drive(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
#endif
