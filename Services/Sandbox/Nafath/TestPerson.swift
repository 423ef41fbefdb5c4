/// A person whom the test issuer knows.
struct TestPerson: Codable, Sendable, Equatable {
    var nationalID: String
    var firstName: String
    var lastName: String
    var mobile: String
    var gender: String?
    var jobTitle: String?

    /// By login name.
    static let known: [String: TestPerson] = [
        "noura": TestPerson(
            nationalID: "1010101010", firstName: "Noura", lastName: "Al-Harbi", mobile: "+966500000101",
            gender: "female", jobTitle: "Nurse"),
        "khalid": TestPerson(
            nationalID: "1020202020", firstName: "Khalid", lastName: "Al-Qahtani", mobile: "+966500000102",
            gender: "male", jobTitle: "Physical Therapist"),
        "fahad": TestPerson(
            nationalID: "1030303030", firstName: "Fahad", lastName: "Al-Otaibi", mobile: "+966500000103",
            gender: "male", jobTitle: "Accountant"),
        "sara": TestPerson(
            nationalID: "2040404040", firstName: "Sara", lastName: "Haddad", mobile: "+966500000104",
            gender: "female"),
    ]
}
