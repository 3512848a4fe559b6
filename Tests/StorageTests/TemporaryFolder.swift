import Foundation

/// A folder that is gone when the test is over.
func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "postern-storage-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
}
