import ServiceKit

@main
enum Identity {
    static func main() async { await IdentityService.main() }
}
