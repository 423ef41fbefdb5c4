@main
enum Simulator {
    static func main() {}
}
