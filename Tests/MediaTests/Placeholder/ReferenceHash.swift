/// Hashes of computed pictures by the published JavaScript encoder.
struct ReferenceHash: Sendable {
    let width: Int
    let height: Int
    let isClear: Bool
    let bytes: [UInt8]

    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        [
            UInt8((x * 37 + y * 11) % 256), UInt8((x * x + y * 53) % 256), UInt8((x * 5 + y * y * 3) % 256),
            isClear ? UInt8((x * 8 + y * 3 + x * y) % 256) : 255,
        ]
    }

    static let all = [
        ReferenceHash(
            width: 32, height: 21, isClear: false,
            bytes: [31, 8, 2, 21, 128, 112, 115, 137, 1, 117, 86, 65, 102, 37, 115, 129, 143, 252, 251, 204, 25]),
        ReferenceHash(
            width: 21, height: 32, isClear: false,
            bytes: [31, 8, 2, 21, 2, 67, 150, 64, 119, 23, 129, 35, 101, 66, 23, 70, 153, 207, 139, 187, 251]),
        ReferenceHash(
            width: 32, height: 32, isClear: false,
            bytes: [
                31, 8, 2, 15, 0, 97, 98, 135, 19, 103, 135, 17, 131, 6, 117, 69, 98, 80, 211, 230, 143, 158, 252, 14,
            ]),
        ReferenceHash(
            width: 17, height: 9, isClear: false,
            bytes: [156, 248, 9, 68, 130, 69, 72, 165, 80, 120, 166, 136, 134, 69, 122, 143, 213, 147, 175]),
        ReferenceHash(
            width: 32, height: 24, isClear: true,
            bytes: [
                31, 8, 130, 4, 128, 23, 184, 96, 52, 185, 147, 119, 244, 169, 138, 13, 136, 20, 32, 66, 51, 118, 101,
                103, 8,
            ]),
        ReferenceHash(
            width: 19, height: 31, isClear: true,
            bytes: [32, 24, 130, 3, 2, 23, 39, 144, 74, 87, 73, 24, 239, 124, 16, 250, 32, 67, 35, 132, 70, 106, 118]),
    ]
}
