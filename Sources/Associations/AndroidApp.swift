/// An Android app that may open the links of a host.
public struct AndroidApp: Sendable, Hashable {
    /// The application ID: two segments or more, each an ASCII letter followed by ASCII letters, digits and `_`.
    public let packageName: String

    /// SHA-256 of the signing certificates: 32 upper-case hexadecimal pairs joined by colons, at least one, none twice, in the order given.
    public let sha256CertFingerprints: [String]

    /// Takes an app as configured and normalises its fingerprints; throws the first of `problems`.
    ///
    /// A fingerprint may be given with or without colons and in either case. List the Play App Signing key, not the upload key.
    public init(packageName: String, sha256CertFingerprints: [String]) throws(AssociationError) {
        if let problem = Self.problems(packageName: packageName, sha256CertFingerprints: sha256CertFingerprints).first { throw problem }
        var fingerprints: [String] = []
        for fingerprint in sha256CertFingerprints {
            fingerprints.append(try Self.normalised(fingerprint))
        }
        self.init(packageName, merging: fingerprints)
    }

    /// The app with further fingerprints, already normalised.
    init(_ packageName: String, merging fingerprints: [String]) {
        self.packageName = packageName
        sha256CertFingerprints = fingerprints.withoutDuplicates
    }

    /// Everything that is wrong with a configured app, one problem for each bad fingerprint; empty when `init` would succeed.
    public static func problems(packageName: String, sha256CertFingerprints: [String]) -> [AssociationError] {
        var problems: [AssociationError] = []
        if let reason = packageNameProblem(packageName) {
            problems.append(.invalid(.packageName, value: packageName, reason: reason))
        }
        if sha256CertFingerprints.isEmpty {
            problems.append(.invalid(.sha256CertFingerprints, value: "", reason: "there is none, so Android could never verify the app"))
        }
        for fingerprint in sha256CertFingerprints {
            do throws(AssociationError) {
                _ = try normalised(fingerprint)
            } catch {
                problems.append(error)
            }
        }
        return problems
    }

    private static func packageNameProblem(_ packageName: String) -> String? {
        if packageName.isEmpty { return "it is empty" }
        if let foreign = packageName.first(where: { !($0.isASCIILetterOrDigit || $0 == "_" || $0 == ".") }) {
            return "it contains \(foreign.quoted)"
        }
        let segments = packageName.split(separator: ".", omittingEmptySubsequences: false)
        if segments.contains("") { return "it has an empty segment" }
        if segments.count < 2 { return "it has one segment only" }
        if let segment = segments.first(where: { $0.first?.isASCIILetter != true }) {
            return "its segment \"\(segment)\" does not begin with a letter"
        }
        return nil
    }

    private static func normalised(_ fingerprint: String) throws(AssociationError) -> String {
        func refuse(_ reason: String) -> AssociationError {
            .invalid(.sha256CertFingerprints, value: fingerprint, reason: reason)
        }
        if let foreign = fingerprint.first(where: { $0 != ":" && !$0.isASCIIHexDigit }) {
            throw refuse("it contains \(foreign.quoted)")
        }
        let digits = fingerprint.uppercased().filter { $0 != ":" }
        switch digits.utf8.count {
        case 64: break
        case 40: throw refuse("it has 40 hexadecimal digits, the length of a SHA-1 fingerprint")
        case 32: throw refuse("it has 32 hexadecimal digits, the length of an MD5 fingerprint")
        case let count: throw refuse("it has \(count) hexadecimal digit\(count == 1 ? "" : "s")")
        }
        var pairs = ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && index.isMultiple(of: 2) { pairs.append(":") }
            pairs.append(digit)
        }
        guard fingerprint.contains(":") == false || fingerprint.uppercased() == pairs else {
            throw refuse("its colons do not separate pairs of digits")
        }
        return pairs
    }
}
