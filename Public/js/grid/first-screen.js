// The first screen, drawn while the rest of the page's code is on its way: the cells of a grid's beginning, where they
// will stay, and the pictures that come meanwhile. The page goes on with them.

import { GridLayout } from '../layout/grid-layout.js'
import { normalized } from '../layout/sections.js'
import { ThumbnailCache } from '../thumbnails/thumbnail-cache.js'
import { Grid } from './grid.js'

export class FirstScreen {
  thumbnails = new ThumbnailCache()
  layout
  grid

  /** `options`: the `layout` of the API, of kind grid, for a viewport of `width` and `height`. */
  constructor({ sections, itemCount }, options, { width, height }) {
    this.layout = new GridLayout(options, width, normalized(sections, itemCount), itemCount)
    this.grid = new Grid(document.getElementById('grid'), { top: 0, height, origin: 0 }, {
      thumbnails: this.thumbnails, describe: () => '', color: () => '', recycling: () => {},
    })
    document.getElementById('sizer').style.height = `${height}px` // nothing scrolls before the page can follow
    this.grid.setLayout(this.layout)
    this.grid.render()
  }

  received(picture) {
    this.thumbnails.receive(picture)
    this.grid.arrived(picture.item)
  }
}
