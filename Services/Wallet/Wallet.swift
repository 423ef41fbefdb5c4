import ServiceKit

@main
enum Wallet {
    static func main() async { await WalletService.main() }
}
