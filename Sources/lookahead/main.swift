import Glibc
import Pipeline

if CommandLine.arguments.dropFirst().first == "render-worker" { exit(RenderWorker.run()) }
print("lookahead")
