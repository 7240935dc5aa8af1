import Viewport

final class Loader: CollectionViewDataSourcePrefetching {
    func collectionView(_ view: CollectionView, prefetchItemsAt indexPaths: [CollectionView.IndexPath]) {
        print("prefetch", indexPaths)
    }
    func collectionView(_ view: CollectionView, cancelPrefetchingForItemsAt indexPaths: [CollectionView.IndexPath]) {
        print("cancel", indexPaths)
    }
}

let loader = Loader()
let options = LayoutOptions(kind: .grid(itemWidth: 130, itemHeight: 130))
let view = CollectionView(numberOfItems: [30, 0, 300], layout: options, size: Size(width: 390, height: 844))
view.prefetchDataSource = loader
for frame in 0..<60 { view.setContentOffset(Double(frame) * 40, at: Double(frame) * 16.7) }  // down …
for frame in 60..<70 { view.setContentOffset(Double(120 - frame) * 40, at: Double(frame) * 16.7) }  // … and back
