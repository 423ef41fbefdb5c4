import ServiceKit

@main
enum Notifications {
    static func main() async { await NotificationsService.main() }
}
