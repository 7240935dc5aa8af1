import Queues
import Random
import Testing

@Suite struct QueuesTests {
    @Test("a queue holds what a plain list would hold, and gives up the memory of what was taken", arguments: 0..<10)
    func queue(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = Queue<Int>()
        var model: [Int] = []
        for value in 0..<4_000 {
            // It grows for a while, then shrinks.
            if random.below(10) < (value / 500 % 2 == 0 ? 7 : 3) {
                queue.append(value)
                model.append(value)
            } else {
                let popped = queue.popFirst()
                #expect(popped == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(queue.first == model.first)
            #expect(queue.last == model.last)
            #expect(queue.count == model.count)
            #expect(queue.held <= max(model.count + 64, 2 * model.count))
        }
        #expect(Array(queue) == model)
    }

    @Test("a heap gives the least of what a plain list would hold", arguments: 0..<10)
    func heap(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var heap = BinaryHeap<Int>()
        var model: [Int] = []
        for _ in 0..<2_000 {
            let value = random.below(1_000)
            switch random.below(8) {
            case 0...3:
                heap.push(value)
                model.append(value)
            case 4:
                heap.replaceFirst(with: value)
                if let place = model.firstIndex(of: model.min() ?? value) { model.remove(at: place) }
                model.append(value)
            case 5:
                heap.removeAll { $0 % 7 == value % 7 }
                model.removeAll { $0 % 7 == value % 7 }
            default:
                let least = heap.pop()
                #expect(least == model.min())
                if let place = model.firstIndex(where: { $0 == least }) { model.remove(at: place) }
            }
            #expect(heap.first == model.min())
            #expect(heap.count == model.count)
        }
    }
}
