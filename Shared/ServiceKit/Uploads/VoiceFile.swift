/// Recognizes voice notes as browsers and phones record them, by their bytes: Opus in WebM or Ogg, AAC in MP4 or by
/// itself. A file with a picture track is none.
enum VoiceFile {
    /// The part of a file in which its tracks are named.
    private static let headLength = 4_096

    static func kind(_ bytes: [UInt8]) -> FileKind? {
        let head = bytes.prefix(headLength)
        // EBML (RFC 8794) with the type webm, and one track whose codec is Opus.
        if bytes.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) {
            let isVoice = has("webm", in: head.prefix(64)) && has("A_OPUS", in: head)
            return isVoice && !["V_VP", "V_AV1", "V_MPEG"].contains { has($0, in: head) } ? .webm : nil
        }
        // RFC 7845: the first page has one packet, which begins with OpusHead.
        if bytes.starts(with: Array("OggS".utf8)) { return has("OpusHead", in: head.prefix(64)) ? .ogg : nil }
        // ISO/IEC 14496-12: a file type box; tracks are named at either end of the file.
        if bytes.dropFirst(4).starts(with: Array("ftyp".utf8)) {
            let isVoice = has("mp4a", in: bytes[...]) || has("Opus", in: bytes[...])
            return isVoice && !has("vide", in: bytes[...]) ? .mp4 : nil
        }
        // ISO/IEC 13818-7: a sync word of twelve bits, layer 0.
        if bytes.count > 7, bytes[0] == 0xff, bytes[1] & 0xf6 == 0xf0 { return .aac }
        return nil
    }

    private static func has(_ word: String, in bytes: ArraySlice<UInt8>) -> Bool {
        let word = Array(word.utf8)
        guard let first = word.first, bytes.count >= word.count else { return false }
        var index = bytes.startIndex
        let last = bytes.endIndex - word.count
        while index <= last {
            if bytes[index] == first, bytes[index..<index + word.count].elementsEqual(word) { return true }
            index += 1
        }
        return false
    }
}
