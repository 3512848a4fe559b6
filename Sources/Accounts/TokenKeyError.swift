public import Crypto

/// Why the folder with the keys that sign ID tokens cannot be used.
public enum TokenKeyError: Error, Sendable, Equatable {
    /// The folder cannot be made, opened or listed.
    case unusableFolder(path: String, cause: String)
    /// Others than its owner may put files into the folder.
    case exposedFolder(path: String)
    /// Others than its owner may read or change the file.
    case exposedFile(path: String)
    /// A `.pem` file is not named `<created seconds>-<kid>.pem`, or not after the key inside.
    case misnamedFile(path: String)
    /// The file cannot be opened or read, or is too large for a key.
    case unreadableFile(path: String, cause: String)
    /// The file holds no usable private key.
    case unusableKey(path: String, CryptoError)
    /// A file cannot be written, renamed or deleted.
    case unwritableFile(path: String, cause: String)
    /// A key or its certificate cannot be made.
    case crypto(CryptoError)
}

extension TokenKeyError {
    /// A stable word for programs.
    public var code: String {
        switch self {
        case .unusableFolder: "unusable-key-folder"
        case .exposedFolder: "exposed-key-folder"
        case .exposedFile: "exposed-key-file"
        case .misnamedFile: "misnamed-key-file"
        case .unreadableFile: "unreadable-key-file"
        case .unusableKey: "unusable-key"
        case .unwritableFile: "unwritable-key-file"
        case .crypto(let error): error.code
        }
    }

    /// The detail for logs, free of secrets; `nil` when the code says it all.
    public var cause: String? {
        switch self {
        case .unusableFolder(_, let cause), .unreadableFile(_, let cause), .unwritableFile(_, let cause): cause
        case .unusableKey(_, let error): "\(error.code)\(error.cause.map { ": \($0)" } ?? "")"
        case .crypto(let error): error.cause
        case .exposedFolder, .exposedFile, .misnamedFile: nil
        }
    }
}

extension TokenKeyError: CustomStringConvertible {
    /// A sentence for people: which file, what is wrong, and what to do.
    public var description: String {
        switch self {
        case .unusableFolder(let path, let cause):
            "The token key folder \(path) cannot be used (\(cause)); it must be a folder that this user may read and write."
        case .exposedFolder(let path):
            "The token key folder \(path) can be written by other users; run: chmod 700 \(path)"
        case .exposedFile(let path):
            "The token key \(path) can be read by other users; run: chmod 600 \(path), and if others may have read it, postern keys rotate."
        case .misnamedFile(let path):
            "\(path) is not named as a token key, <created seconds>-<kid>.pem after the key inside; rename it or move it away."
        case .unreadableFile(let path, let cause):
            "The token key \(path) cannot be read (\(cause)); make it a file of this user, or move it away."
        case .unusableKey(let path, let error):
            "The token key \(path) cannot be used: \(error.description) Or move it away."
        case .unwritableFile(let path, let cause):
            "The token key \(path) cannot be written or deleted (\(cause)); make room, and let this user write to its folder."
        case .crypto(let error): error.description
        }
    }
}
