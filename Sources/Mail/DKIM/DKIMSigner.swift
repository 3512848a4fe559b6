public import Platform

/// Signs messages with DKIM, relaxed/relaxed, once for each identity (RFC 6376, RFC 8463).
///
/// Fields that must not be added on the way are signed once more than they occur, so that a second one breaks the signature
/// (RFC 6376 §8.15). There is no `l=`, which would let a stranger append to a body (§8.2).
public struct DKIMSigner: Sendable {
    /// How long after `t=` a signature lasts, `x=`: longer than any mail server keeps trying (RFC 5321 §4.5.4.1).
    public static let validity: Duration = .seconds(7 * 86_400)

    /// Which fields are signed as often as they occur, and which once more.
    static let signedFields: [(name: String, isOversigned: Bool)] = [
        ("From", true), ("To", true), ("Subject", true), ("Date", true), ("Reply-To", true), ("Content-Type", true), ("Message-ID", false),
        ("MIME-Version", false), ("Content-Transfer-Encoding", false), ("Auto-Submitted", false), ("Feedback-ID", false),
    ]

    private let identities: [DKIMIdentity]
    private let sha256: @Sendable ([UInt8]) -> [UInt8]

    /// Takes the identities, whose signatures stand in this order above the message, and SHA-256, since this module has no cryptography.
    public init(_ identities: [DKIMIdentity], sha256: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.identities = identities
        self.sha256 = sha256
    }

    /// The message with its signatures above it.
    ///
    /// An RSA signature takes a fifth of a millisecond of one core or more, so never on a thread that answers requests.
    /// - Parameters:
    ///   - message: with CRLF line ends, dots not stuffed; not changed any more once it is signed.
    ///   - time: the `t=`, in whole seconds.
    /// - Throws: `signingFailed`.
    public func signing(_ message: [UInt8], at time: UnixTime) throws(DKIMError) -> [UInt8] {
        let octets = MessageOctets(message)
        let names = Self.names(of: octets.fields)
        let bodyHash = sha256(DKIMCanonicalization.relaxedBody(octets.body))
        let header = Self.signedText(octets.fields, names: names)
        var out: [UInt8] = []
        out.reserveCapacity(message.count + identities.count * 1024)
        for identity in identities {
            let start = out.count
            appendField(identity, names: names, bodyHash: bodyHash, time: time, to: &out)
            var signed = header
            DKIMCanonicalization.appendRelaxedField(out[start...], to: &signed)
            // RFC 8463 §3: Ed25519 signs the digest, as if it were the message.
            if identity.algorithm == .ed25519SHA256 { signed = sha256(signed) }
            do throws(DKIMIdentity.SigningFailure) {
                DKIMTagWriter.appendBase64(try identity.sign(signed), to: &out)
            } catch {
                throw .signingFailed(selector: identity.selector, cause: error.cause)
            }
            out.append(contentsOf: "\r\n".utf8)
        }
        out.append(contentsOf: message)
        return out
    }

    /// The `h=` for these fields.
    static func names(of fields: [MessageOctets.Field]) -> [String] {
        signedFields.flatMap { name, isOversigned in
            let lowered = name.lowercased()
            let count = fields.count { $0.name == lowered }
            return repeatElement(name, count: count + (isOversigned ? 1 : 0))
        }
    }

    /// The fields that `names` choose in canonical form, each with CRLF: the last of a name first, and nothing where none is left
    /// (RFC 6376 §5.4.2, §3.7).
    static func signedText(_ fields: [MessageOctets.Field], names: [String]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(1024)
        var seen: [String: Int] = [:]
        for name in names {
            let lowered = name.lowercased()
            let skip = seen[lowered, default: 0]
            seen[lowered] = skip + 1
            guard let field = fields.reversed().lazy.filter({ $0.name == lowered }).dropFirst(skip).first else { continue }
            DKIMCanonicalization.appendRelaxedField(field.octets, to: &out)
            out.append(contentsOf: "\r\n".utf8)
        }
        return out
    }

    /// The field up to its empty `b=`, which is how it is signed.
    private func appendField(_ identity: DKIMIdentity, names: [String], bodyHash: [UInt8], time: UnixTime, to out: inout [UInt8]) {
        var writer = DKIMTagWriter(out: out)
        // Two owners of one buffer would copy it at the first octet.
        out = []
        defer { out = writer.out }
        writer.begin()
        writer.tag("v=1;")
        writer.tag("a=\(identity.algorithm.rawValue);")
        writer.tag("c=relaxed/relaxed;")
        writer.tag("d=\(identity.domain);")
        writer.tag("s=\(identity.selector);")
        writer.tag("t=\(time.seconds);")
        writer.tag("x=\((time + Self.validity).seconds);")
        for (index, name) in names.enumerated() {
            writer.part((index == 0 ? "h=" : "") + name + (index == names.count - 1 ? ";" : ":"), isFirst: index == 0)
        }
        var hash: [UInt8] = []
        BodyEncoding.appendBase64(bodyHash[...], to: &hash)
        writer.tag("bh=\(String(decoding: hash, as: UTF8.self));")
        writer.lastTag("b=")
    }
}
