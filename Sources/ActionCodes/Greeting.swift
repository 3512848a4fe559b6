internal import Accounts

/// The name by which a mail greets somebody.
enum Greeting {
    /// In characters; longer names are left out, not cut.
    private static let longestName = 64

    /// The account's name, if it may stand in a mail from the project's domain.
    ///
    /// Anybody can make an account with a stranger's address and any name, and have a mail sent there: the name of an address that nobody has
    /// proved is left out, and so is whatever could be read as more than a name, such as a link or a second line.
    static func name(of user: User?) -> String {
        guard let user, user.emailVerified, let name = user.displayName, name.count <= longestName,
            name.unicodeScalars.allSatisfy(isPartOfAName), !looksLikeAHost(name)
        else { return "" }
        return name
    }

    private static func isPartOfAName(_ scalar: Unicode.Scalar) -> Bool {
        // They would make the sentence around the name read otherwise. Names in Hebrew or Arabic need none.
        guard !scalar.properties.isBidiControl else { return false }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: !"/\\:@<>[]{}|".unicodeScalars.contains(scalar)
        }
    }

    /// Mail programs make links of `evil.example`; a name has a blank after its full stop, as in "J. Doe".
    private static func looksLikeAHost(_ name: String) -> Bool {
        let characters = Array(name)
        return characters.indices.dropFirst().dropLast().contains { index in
            characters[index] == "." && !characters[index - 1].isWhitespace && characters[index + 1].isLetter
        }
    }
}
