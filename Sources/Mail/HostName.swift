internal import CIDN2

/// A host name as the DNS knows it: lower-case A-labels (RFC 5890 §2.3.2.1), one label or more, no trailing dot, never an IP address.
///
/// IDNA2008 as it is written: letters are lower-cased by this type, the rest of a label must be valid as typed (after NFC). The mapping of
/// UTS #46, which would quietly turn full-width or circled letters into others, is left out, so two names that look different never meet.
public struct HostName: Sendable, Hashable {
    /// The name, such as `xn--mller-kva.example`.
    public let text: String

    /// Takes a name in any case and in either form of its labels; nil when it is none.
    public init?(_ text: String) {
        guard let normalised = Self.normalised(text) else { return nil }
        self.text = normalised
    }

    /// The one spelling of a host name, or nil when `text` is none.
    public static func normalised(_ text: String) -> String? {
        // A name of 253 octets has less than 1,000 in any other form; what is longer is not worth the work.
        guard text.utf8.count <= 1000 else { return nil }
        let bytes = Array(text.utf8)
        guard case .success(let name) = normalise(bytes[...]) else { return nil }
        return name
    }

    /// Why a name was refused.
    enum Refusal: Error {
        case tooLong
        case labelTooLong
        case misplacedDot
        case malformed
    }

    static func normalise(_ name: ArraySlice<UInt8>) -> Result<String, Refusal> {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(name.count)
        var isPlain = true
        for byte in name {
            if byte >= 0x80 { isPlain = false }
            bytes.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
        }
        if let refusal = flaw(in: bytes, allowBeyondASCII: true) { return .failure(refusal) }
        if isPlain, !hasEncodedLabel(bytes) {
            return .success(String(decoding: bytes, as: UTF8.self))
        }
        let scalars = String(decoding: bytes, as: UTF8.self)
        // The Kelvin sign would become a plain k, the only scalar beyond ASCII that does such a thing.
        guard !scalars.unicodeScalars.contains("\u{212A}") else { return .failure(.malformed) }
        let lowered = isPlain ? bytes : Array(scalars.lowercasedByScalar().utf8)
        switch alabels(lowered) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let encoded):
            // libidn2 lets ASCII through unseen and a label may have grown, hence the same look at what came out.
            if let refusal = flaw(in: encoded, allowBeyondASCII: false) { return .failure(refusal) }
            return .success(String(decoding: encoded, as: UTF8.self))
        }
    }

    /// Normalises one run of letters, marks and digits beyond ASCII (NFC), or gives nil when IDNA2008 does not allow it in a label.
    static func normalisedLabel(_ label: String) -> Result<String, Refusal> {
        switch alabels(Array(label.utf8)) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let encoded):
            let terminated = encoded.map { CChar(bitPattern: $0) } + [0]
            var output: UnsafeMutablePointer<CChar>?
            let code = unsafe idn2_to_unicode_8z8z(terminated, &output, 0)
            guard code == IDN2_OK.rawValue, let output = unsafe output else { return .failure(.malformed) }
            defer { unsafe idn2_free(output) }
            return unsafe .success(String(cString: output))
        }
    }

    /// What is wrong with the shape of a name: lengths (RFC 1035 §2.3.4), letters, digits and hyphens (RFC 1123 §2.1), hyphens at the ends.
    private static func flaw(in name: [UInt8], allowBeyondASCII: Bool) -> Refusal? {
        guard !name.isEmpty else { return .misplacedDot }
        var labelStart = 0
        var digitsOnly = true
        for index in 0...name.count {
            let byte = index < name.count ? name[index] : UInt8(ascii: ".")
            switch byte {
            case UInt8(ascii: "."):
                let length = index - labelStart
                guard length > 0 else { return .misplacedDot }
                if !allowBeyondASCII, length > 63 { return .labelTooLong }
                guard name[labelStart] != UInt8(ascii: "-"), name[index - 1] != UInt8(ascii: "-") else { return .malformed }
                // A top label of digits alone means an IP address, whole or cut short (RFC 3696 §2).
                if index == name.count, digitsOnly { return .malformed }
                labelStart = index + 1
                digitsOnly = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"): digitsOnly = false
            case 0x80...: if allowBeyondASCII { digitsOnly = false } else { return .malformed }
            default: return .malformed
            }
        }
        if allowBeyondASCII, !name.contains(where: { $0 >= 0x80 }) { return flaw(in: name, allowBeyondASCII: false) }
        return !allowBeyondASCII && name.count > 253 ? .tooLong : nil
    }

    private static func hasEncodedLabel(_ name: [UInt8]) -> Bool {
        name.split(separator: UInt8(ascii: ".")).contains { $0.starts(with: "xn--".utf8) }
    }

    private static func alabels(_ name: [UInt8]) -> Result<[UInt8], Refusal> {
        let terminated = name + [0]
        var output: UnsafeMutablePointer<UInt8>?
        let flags = IDN2_NFC_INPUT.rawValue | IDN2_ALABEL_ROUNDTRIP.rawValue | IDN2_NO_TR46.rawValue
        let code = unsafe idn2_lookup_u8(terminated, &output, Int32(flags))
        guard code == IDN2_OK.rawValue, let output = unsafe output else {
            switch code {
            case IDN2_TOO_BIG_DOMAIN.rawValue: return .failure(.tooLong)
            case IDN2_TOO_BIG_LABEL.rawValue, IDN2_PUNYCODE_BIG_OUTPUT.rawValue: return .failure(.labelTooLong)
            default: return .failure(.malformed)
            }
        }
        defer { unsafe idn2_free(output) }
        return unsafe .success(Array(String(cString: output).utf8))
    }
}

extension HostName: CustomStringConvertible {
    /// The name.
    public var description: String { text }
}

extension String {
    /// Lower case by Unicode's mapping of each scalar on its own: no locale, no context (a final sigma stays `σ`).
    ///
    /// `İ` (U+0130) becomes `i` with a dot above, never a plain `i`.
    func lowercasedByScalar() -> String {
        var result = ""
        for scalar in unicodeScalars { result += scalar.properties.lowercaseMapping }
        return result
    }
}
