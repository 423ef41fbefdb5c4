import ArgumentParser

/// Measures the matching core: the very code that dispatch's workers run.
@main
struct BenchDispatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "BenchDispatch", abstract: "Measures the matching core, that dispatch's workers run.",
        subcommands: [FiguresCommand.self, MealDeliveryCommand.self, ScaleCommand.self],
        defaultSubcommand: FiguresCommand.self)
}
