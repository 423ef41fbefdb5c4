import Foundation
import PackagePlugin

/// Lets a service's module know the files of its `Migrations` folder: makes `MigrationFiles.all` of them.
@main
struct MigrationFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL.appending(path: "Migrations")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "sql" }
        let output = context.pluginWorkDirectoryURL.appending(path: "MigrationFiles.swift")
        let service = target.name.replacing("Serai", with: "").lowercased()
        return [
            .buildCommand(
                displayName: "Listing the migrations of \(service)",
                executable: try context.tool(named: "ListMigrations").url,
                arguments: [service, folder.path(percentEncoded: false), output.path(percentEncoded: false)],
                inputFiles: files, outputFiles: [output])
        ]
    }
}
