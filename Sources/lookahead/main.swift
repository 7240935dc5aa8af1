print("lookahead")
