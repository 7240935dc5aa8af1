// The page's own script, loaded once the session has been asked for.

import { opening } from './boot.js'
import { Page } from './page/page.js'

new Page(opening).lazy.open()
