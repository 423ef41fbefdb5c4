@main
enum Walk {
    static func main() {}
}
