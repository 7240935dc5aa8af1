/// The tests' questions to the page, in its own language. Looks only at what a person could see: the document and
/// the pixels of its pictures, never at the page's variables.
enum Probe {
    static let source = """
        const probe = {
          get scroller() { return document.getElementById('scroller'); },
          frame: () => new Promise(requestAnimationFrame),
          get layout() { return document.querySelector('#layout :checked').value; },
          choose: (kind) => document.querySelector(`#layout [value="${kind}"]`).click(),
          async until(condition, why, milliseconds = 60000) {
            const end = performance.now() + milliseconds;
            for (;;) {
              let [value, fault] = [null, ''];
              try { value = await condition(); } catch (error) { fault = `${error}; `; }
              if (value) return value;
              if (performance.now() > end)
                throw new Error(`${why}: not within ${milliseconds} ms; ${fault}${JSON.stringify(probe.summary())}`);
              await probe.frame();
            }
          },
          /** From one row of a grid to the next, px. */
          pitch() {
            const tops = [...new Set(probe.visible().map((cell) => Math.round(cell.getBoundingClientRect().top)))].sort((a, b) => a - b);
            return tops[2] - tops[1];
          },
          /** Cells that a person sees at least a pixel of, in reading order. */
          visible() {
            if (!probe.scroller) return [];
            const box = probe.scroller.getBoundingClientRect();
            return [...document.querySelectorAll('.cell')].filter((cell) => {
              const r = cell.getBoundingClientRect();
              return r.height > 0 && r.bottom > box.top + 0.5 && r.top < box.bottom - 0.5;
            });
          },
          /** The visible cell of an item; rows kept for reuse still name their last ones. */
          cell: (item) => probe.visible().find((cell) => Number(cell.dataset.item) === item),
          /** A picture's name, which ends its label. */
          name: (cell) => cell?.getAttribute('aria-label')?.split(', ').at(-1),
          items: () => probe.visible().map((cell) => Number(cell.dataset.item)),
          /** The item that a demo picture carries in its pixels; -1 when it shows no picture, -2 when it cannot be read. */
          number: (cell) => probe.hasPicture(cell) ? probe.decode(cell.querySelector('img')) : -1,
          hasPicture(cell) {
            const image = cell.querySelector('img');
            return image.complete && image.naturalWidth > 0 && getComputedStyle(image).opacity !== '0';
          },
          /** Whether a cell shows a blur of its picture. */
          isBlurred(cell) {
            const canvas = cell.querySelector('canvas');
            return canvas !== null && !canvas.hidden;
          },
          /** Visible cells that show nothing of their picture: where it is held and only to be decoded, its colour. */
          grey: () => probe.visible().filter((cell) => !probe.hasPicture(cell) && !probe.isBlurred(cell) && !cell.style.backgroundColor).length,
          \(decoder)
          /** Whether the page is there, and every visible cell shows its own picture, all of it. */
          filled() {
            const cells = document.documentElement.dataset.connection ? probe.visible() : [];
            // Pictures are read once all are there: that takes longer than a frame.
            return cells.length > 0 && cells.every(probe.hasPicture)
              && cells.every((cell) => probe.number(cell) === Number(cell.dataset.item));
          },
          /** A visible picture that belongs to another item, or null. */
          stranger() {
            for (const cell of probe.visible()) {
              const number = probe.number(cell);
              if (number !== -1 && number !== Number(cell.dataset.item)) return { item: Number(cell.dataset.item), shows: number };
            }
            return null;
          },
          summary() {
            const cells = probe.visible();
            return {
              connection: document.documentElement.dataset.connection, items: [probe.items()[0], probe.items().at(-1)],
              cells: cells.length, shown: cells.filter((cell) => probe.number(cell) >= 0).length,
              failed: cells.filter((cell) => cell.dataset.state === 'failed').length, stranger: probe.stranger(),
            };
          },
          /** Once nothing has moved for twenty frames. */
          async calm(element = probe.scroller) {
            let [last, frames] = [NaN, 0];
            await probe.until(() => {
              const top = element.scrollTop;
              frames = top === last ? frames + 1 : 0;
              last = top;
              return frames > 20;
            }, 'rest');
          },
          /** Where a cell stands, in px of the viewport. */
          box(item) {
            const r = probe.cell(item)?.getBoundingClientRect();
            return r && { x: r.left + r.width / 2, y: r.top + r.height / 2, top: r.top, left: r.left, width: r.width, height: r.height };
          },
          focused: () => Number(document.activeElement?.dataset?.item ?? -1),
          get: async (path) => (await fetch(path)).json(),
        };

        """

    /// The reader of the film edge of a demo picture, as the catalogue documents it.
    private static let decoder = """
        canvas: document.createElement('canvas'),
          decode(image) {
            const [width, height] = [image.naturalWidth, image.naturalHeight];
            const top = Math.floor(height * 0.9); // of the edge
            Object.assign(probe.canvas, { width, height: height - top });
            const context = probe.canvas.getContext('2d', { willReadFrequently: true });
            context.drawImage(image, 0, -top);
            const { data } = context.getImageData(0, 0, width, height - top);
            const cells = [];
            for (let i = 0; i < 32; i++) {
              const x = (i % 16 + 0.5) * width / 16, y = height * 0.9 + ((i >> 4) + 0.5) * height * 0.05;
              let sum = 0, n = 0;
              for (let v = Math.floor(y - height * 0.01); v <= Math.floor(y + height * 0.01); v++)
                for (let u = Math.floor(x - width * 0.01); u <= Math.floor(x + width * 0.01); u++) {
                  const p = ((Math.min(v, height - 1) - top) * width + Math.min(u, width - 1)) * 4;
                  sum += data[p] + data[p + 1] + data[p + 2]; n++;
                }
              cells.push(sum / n);
            }
            if (cells[0] - cells[31] < 150) return -2;
            const middle = (cells[0] + cells[31]) / 2;
            let word = 0;
            for (let i = 1; i < 31; i++) word = word * 2 + (cells[i] > middle ? 1 : 0);
            const number = Math.floor(word / 64);
            const check = (number ^ number >> 6 ^ number >> 12 ^ number >> 18 ^ 45) & 63;
            return word % 64 === check ? number - 1 : -2; // people count from 1
          },
        """
}
