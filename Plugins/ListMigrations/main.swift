import Foundation

/// `ListMigrations SERVICE FOLDER OUTPUT`: writes a Swift file with each `0001_what_it_does.sql` of the folder as a `Migration`.
struct WrongName: Error, CustomStringConvertible {
    let description: String
}

let arguments = CommandLine.arguments
guard arguments.count == 4 else {
    throw WrongName(description: "usage: ListMigrations SERVICE FOLDER OUTPUT")
}
let (service, folder, output) = (arguments[1], URL(filePath: arguments[2]), URL(filePath: arguments[3]))

var list = ""
let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    .filter { $0.pathExtension == "sql" }
    .sorted { $0.lastPathComponent < $1.lastPathComponent }
for file in files {
    let stem = file.deletingPathExtension().lastPathComponent
    guard let underscore = stem.firstIndex(of: "_"), let version = Int(stem[..<underscore]) else {
        throw WrongName(description: "\(file.path): the name of a migration is 0001_what_it_does.sql")
    }
    let name = stem[stem.index(after: underscore)...]
    // The last line end belongs to the literal's delimiter, so that the text is the file's, byte for byte.
    let text = try String(contentsOf: file, encoding: .utf8)
    list += "        Migration(\n            component: \"\(service)\", version: \(version), name: \"\(name)\",\n"
    list += "            sql: ####\"\"\"\n\(text)\n\"\"\"####),\n"
}
let text = """
    import Postgres

    /// The files of the service's `Migrations` folder, in their order.
    enum MigrationFiles {
        static let all: [Migration] = [
    \(list)    ]
    }
    """
// A file that is written anew has the whole service compiled anew, and this program runs whenever it was linked again.
if (try? String(contentsOf: output, encoding: .utf8)) != text {
    try text.write(to: output, atomically: true, encoding: .utf8)
}
