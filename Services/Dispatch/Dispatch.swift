import ServiceKit

@main
enum Dispatch {
    static func main() async { await DispatchService.main() }
}
