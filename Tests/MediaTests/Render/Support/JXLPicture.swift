import Foundation

/// JPEG XL codestreams made by cjxl of libjxl 0.7, and boxes around them.
enum JXLPicture {
    /// 120 x 80 quadrants.
    static let lossy = decode(
        """
        /woTQUJxIQASiAIAkAhd5RIAABUqo4wbvJzr+fJDh8W0jesMbbVtYUmiyDg2SSdwmKSgQHIrNUZebLxePMZgycOGqpKOSqYypihKFBkjmTHG
        mMwYqaWEezIo0owytv3RR0iFmkZ3EE+fkXaGKezt5F/13OEXAnMU7zDsjcn2hA8pF7AYKYIZWnGPsOFVmnCojFob4JnIIPLkKmCPJZQdfQt/
        +IygImNlY++T15x8CgZMQLQEdYHqL4SKnwRhgoIdlcpovFE95CRME75BP20PfDd2KEwI7FcLAE1r/4tZU7ycH0QlyNA90ujhFcDmCaILZIbg
        YBC41w7qtESAH4YfibuCRwDG0EivWGbRjy/nFICfx5mDtO+/r5JlX739IvDuIYCEIuzYMRTM9DMxUyEFkiWSd8zLvPu8vLyM+Z/zcdrbBxKA
        REfDSLBBrkUoMkejaCKQoMEJDVQQtqGCzW0TDHQEYno40TjcHyibgrasHjUHXg7O3FH3gMK/wb0STc3Ph2STtRYbuCbzfjI8TOl7K7ny1hw7
        wfLhDpd+n7m/XNMMMfLiJDm4rmJmYb8YAO0fV8Rt8HqVh6GRFr3rZ9aWptEZnvrmoyjp3vn2gofEfu0YxOTea0iZVg5zPmnFHdSCPBc65MrC
        z85TrdwveMgkTzMo42Zc1rKCT9f007+yVsF0La5OJZtXJEgure+chcZULd2TwJDt7kDwG4ALf5SJDTAg8AS48AeY0AwDjgsJIByaFw==
        """)

    /// The same without loss.
    static let lossless = decode(
        """
        /woTQUBxIQgCAQDQAEsoN9YfvFeQMAVG1L+7MW6M794LBAEAGCWUhHa/f7fUEpCIpgoSwilg8L1QDlI1ZdTeaQk=
        """)

    /// The same without loss, named as Display P3.
    static let displayP3 = decode(
        """
        /woTQUAmNwIIAgEA0ABLKDfWH7xXkDAFRtS/uzFujO/eCwQBABgllIR2v3+31BKQiKYKEsIpYPC9UA5SNWXU3mkJ
        """)

    /// The same without loss. The right half is transparent.
    static let alpha = decode(
        """
        /woTwYLiQggIEADsAEsoM92E8Rp8PzgnoaBgFCPci2J3N8a9gBAAgAEeAGVU6Jr5t/In6UrMg5Sb2xu+r/1kPI7C8F1L0wQB
        """)

    /// A red frame of 60 x 40, then a blue one.
    static let animation = decode(
        """
        /woJBQFYUFwSCAigAgAAcABLGIsVANQTYzB+LiABACBBAQAgpX8AQT/aI8cfCAigQgAATABLGIsVgF38/wISAPSTBwDwpPkD
        """)

    /// 600 x 400 quadrants, in several groups of pixels.
    static let large = decode(
        """
        /wp4TJBQXAgBFINUFEITyMIGEMAMEACLTQkAgAoNSQIKBgAAAAAAAB7Av0pWomCkcA/O0F2M8RpjMIACjjE2bATVGKiCGQDwBABmwbUH4gRQ
        LpDvSUKJnjqBQKeE5T+IiDfPaB/o+E0T0u6Vx40M8fASszOaH+rI87U+ZucsKIp00kmVTzV6v66X0PwApx9WCUqBBoWiif3rTIUKbBv5LLsu
        zwAIjkFAlkABRkZUrkuKHVD/73+McRdbYBsxtvGqGOl41MUiioyRMcZjjKRpMTgbYwxjjIhhVIzRAg2Q/B5AFiRUcGCg9rASH1YzKIupA/Li
        Vi9E+EzC8Gvegu0CMIRA8JvvF0cU9d8ikcH6YRBKk1dkKdYIovldHRrhOirsAlHavob9OTRrSncKgLG+iXBjD1D3gYXH0pwoV1QCGzI7MEiF
        H/7vMvk/hLQWgOttsy/mApxg/Qh8IDQ9cxBJXfnsFEsAtRZo7sfVWXBchPdUbcMHIwzBRrczEZwG4dkbVXiU/XHZn1jDAJnNgdA/UkQJhiIu
        YgtINwpGmDz/YrqNwxOAYWh1NBNSnJRCiQByldlxH33h5Wt4SYZB74pMBEXwn82seiDq2v+qnUjv178KIe8quKefGa02rWrR/6o1JH9+549F
        /BfqOtYoCjz94638E4+oicKmsFVlFV39Glfu/6py0A2O1qxPlQqyUm5oGuofqPofM/1NrjWl/9DS0Hy/uyn7H1tf2zx7NihRMRSQQufudr0A
        QOBEOwknCiupuj3Dn7qYkqoDijB4zEzxmQnQAhWCi+meFUXkdwgNCehGhJYxILxbSxz5AFLtjkgf3g9SUFBQUOB2d3czEzN+fCQgRiJGxBgd
        I2KMRQpgGD3FizHGNsZ4SIoRABDtGGOMdowRsUhDjDFGx4gwRsUYwxgMAD8EFgE97yXjJEKWk7rSvVKMG/xKp0PZXqHQkf1gjKNtryCcRLYx
        L8zwXrZQf8EoiPN2LwelSILF8NJzFBALGtlI4Rt7iyQJWGdO2bDtqPEDAMwcUYx8whNdGWHtDskgYHwtFDhq1zT0dCBXIC2nNwJFEiegaDkk
        46f6ytzk6aeW9P99rFeAhlX8A2GVZvOEj8cF2a3z/2CUw91o8HHmLMh7GYWFOAy4GtOg8Ga9ulpW1wpPUYzAcONGd+BSMPXqkEKAzT7KNFS8
        VsHDLHykND5xHNXx6RTlhFUQRepBjnITM4jQ1fTrNYYxk0t58kpacborUayAuSQvznl42Qt4Hlu5AwDYZ9rSy8iRjgaOGKaK57Cku79UGdn8
        uOrwNQBTE8ME7g0LGEgS+OIQkdxF4LAIdwl7L/j64t4Lyn5L6VKhahy8/OfSEy69uTCay40VlAIydD0A
        """)

    /// 120 x 80 quadrants without loss, stored in the orientations from 2 on.
    static let turned = [
        decode(
            "/woTDRBQXBIIAgEA0ABLKDfWH7xXkDAFRtQfd2PcGN+9FwgCADCI34CECP0chCYgGU0VJI1TgMB7TCkksf0RgdYQ"
        ),
        decode(
            "/woTFRBQXBIIAgEA0ABLKDfWH7xXkDAFRtQf92PcGN+9FwgCADDSKgGOAv12VKYgEU0FJIhTwaB747NWo0fScnUF"
        ),
        decode(
            "/woTHRBQXBIIAgEAyABLKDfWH7xXkDAFRtQfd2PcGN+9FwgCADD0KA7hPvwCKKQgOU0VJI1TlNx7ktjWEIHWEA=="
        ),
        decode(
            "/wodkgQCiksCCAIBANAASyg31h+8V5AwBUbUv7sxbozv3gsEAQAYJZSECNh/nfQTkKSmApLDKWCAvQBK5htLu71MCA=="
        ),
        decode(
            "/wodkgUCiksCCAIBANAASyg31h+8V5AwBUbUH3dj3BjfvRcIAgAwiN+AhAj9HIQmIBlNFSSNU4DAeysv9C+gzpHQGg=="
        ),
        decode(
            "/wodkgYCiksCCAIBANAASyg31h+8V5AwBUbUH/dj3BjfvRcIAgAw0ioBjgL9dlSmIBFNBSSIU8Cwe/+/Lgd2OClgHA=="
        ),
        decode(
            "/wodkgcCiksCCAIBAMgASyg31h+8V5AwBUbUH3dj3BjfvRcIAgAw9CgO4T78AiikIDlNFSSNUzTiexyEQOaY0Bo="
        ),
    ]

    /// A file of boxes (ISO/IEC 18181-2).
    static func file(_ boxes: [(type: String, data: [UInt8])]) -> [UInt8] {
        HEIFFile.box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + HEIFFile.box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
            + boxes.flatMap { HEIFFile.box($0.type, $0.data) }
    }

    /// The beginning of a codestream of that many rows, half as many more columns, and no other field.
    static func header(rows: Int) -> [UInt8] {
        // A size of up to 30 bits, a ratio of 3 : 2, and defaults.
        let bits = 0b110 | (rows - 1) << 3 | 4 << 33 | 1 << 36
        return [0xFF, 0x0A] + (0..<5).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    }

    private static func decode(_ text: String) -> [UInt8] {
        [UInt8](Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
    }
}
