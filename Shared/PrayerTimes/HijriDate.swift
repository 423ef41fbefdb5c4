/// A day of the Umm al-Qura calendar, by which Saudi Arabia counts.
public struct HijriDate: Hashable, Sendable {
    public let year: Int
    /// 1 is Muharram, 9 Ramadan, 12 Dhu al-Hijjah.
    public let month: Int
    public let day: Int

    public static let ramadan = 9

    /// The daylight's date: a Hijri day begins at the sunset before. Nil outside of the years in the table, which are
    /// 1420 to 1500 (17 April 1999 to 16 November 2077).
    public init?(_ day: CivilDay) {
        var rest = day.daysSince1970 - Self.firstDay
        guard rest >= 0 else { return nil }
        for (year, lengths) in Self.monthsOfThirtyDays.enumerated() {
            for month in 0..<12 {
                let length = lengths >> month & 1 == 1 ? 30 : 29
                if rest < length {
                    (self.year, self.month, self.day) = (Self.firstYear + year, month + 1, rest + 1)
                    return
                }
                rest -= length
            }
        }
        return nil
    }

    public var isRamadan: Bool { month == Self.ramadan }

    private static let firstYear = 1_420
    /// 17 April 1999.
    private static let firstDay = 10_698

    /// A bit for each month that has 30 days, Muharram's the lowest; from 1420 on. As the King Abdulaziz City for Science
    /// and Technology published them, taken from the package hijridate 2.6.0. Foundation's calendar islamicUmmAlQura has
    /// the same until 1450, and from Rabi al-Thani 1451 (August 2029) on months that begin a day after the calendar's own
    /// rule: the conjunction was before sunset in Makkah, and the moon sets after the sun.
    private static let monthsOfThirtyDays: [UInt16] = [
        0xbd2, 0xbc4, 0xb89, 0xa95, 0x52d, 0x5ad, 0xb6a, 0x6d4, 0xdc9, 0xd92, 0xaa6, 0x956, 0x2ae, 0x56d,
        0x36a, 0xb55, 0xaaa, 0x94d, 0x49d, 0x95d, 0x2ba, 0x5b5, 0x5aa, 0xd55, 0xa9a, 0x92e, 0x26e, 0x55d,
        0xada, 0x6d4, 0x6a5, 0x54b, 0xa97, 0x54e, 0xaae, 0x5ac, 0xba9, 0xd92, 0xb25, 0x64b, 0xcab, 0x55a,
        0xb55, 0x6d2, 0xea5, 0xe4a, 0xa95, 0x52d, 0xaad, 0x36c, 0x759, 0x6d2, 0x695, 0x52d, 0xa5b, 0x4ba,
        0x9ba, 0x3b4, 0xb69, 0xb52, 0xaa6, 0x4b6, 0x96d, 0x2ec, 0x6d9, 0xeb2, 0xd54, 0xd2a, 0xa56, 0x4ae,
        0x96d, 0xd6a, 0xb54, 0xb29, 0xa93, 0x52b, 0xa57, 0x536, 0xab5, 0x6aa, 0xe93,
    ]
}
