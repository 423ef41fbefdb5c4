import ServiceKit

@main
enum Admin {
    static func main() async { await AdminService.main() }
}
