/// Style sheet, legend and script of every report.
enum ReportStyle {
    static let head = """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <title>Replay</title><style>
        :root { color-scheme: light dark; --paper: #fbfaf7; --ink: #1d2430; --soft: #6b7280; --rule: #dcd9d0;
          --blank: 201, 60, 32; --want: 38, 99, 204; --seen: #eceae3; --line: #1d2430; }
        @media (prefers-color-scheme: dark) { :root { --paper: #14171c; --ink: #e7e5df; --soft: #98a0ad;
          --rule: #2e343d; --blank: 255, 122, 84; --want: 104, 159, 255; --seen: #232830; --line: #e7e5df; } }
        body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 62rem; background: var(--paper);
          color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
        h1 { font-size: 1.6rem; margin: 0 0 1rem; } h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; }
        h2 small, figcaption span, .axis, caption { color: var(--soft); font-weight: normal; font-size: .85rem; }
        table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
        caption { text-align: left; padding-bottom: .4rem; }
        th { text-align: left; font-weight: 600; } td, th { padding: .25rem .5rem; border-bottom: 1px solid var(--rule); }
        td { text-align: right; background: linear-gradient(90deg, rgba(var(--tone), .28) calc(var(--share) * 100%),
          transparent 0); }
        td.blank { --tone: var(--blank); } td.waste { --tone: var(--want); }
        svg { display: block; width: 100%; height: 7.5rem; }
        polyline { fill: none; stroke: var(--line); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
        .fast rect { fill: var(--seen); }
        .axis { display: flex; justify-content: space-between; margin: 0 0 .75rem; }
        figure { margin: .75rem 0 0; } figcaption { margin-bottom: .2rem; }
        canvas { display: block; width: 100%; height: 6rem; image-rendering: pixelated; }
        .key { display: inline-block; width: .9em; height: .9em; margin: 0 .3em 0 1em; vertical-align: -.1em; }
        </style></head><body>
        <h1>Replay</h1>

        """

    static let legend = """
        <p>Time runs to the right. Each strip shows the viewport (middle third) and one height above and below it:\
        <span class="key" style="background: rgb(var(--blank))"></span>visible and blank\
        <span class="key" style="background: rgb(var(--want))"></span>wanted ahead or behind, not ready yet\
        <span class="key" style="background: var(--seen)"></span>visible, with its picture. In the scroll plot the\
         stretches faster than 1,500 px/s are shaded.</p>

        """

    static let script = """
        <script>
        function draw() {
          const style = getComputedStyle(document.documentElement), get = name => style.getPropertyValue(name);
          for (const canvas of document.querySelectorAll('canvas')) {
            const pen = canvas.getContext('2d'), { width, height } = canvas;
            pen.clearRect(0, 0, width, height);
            pen.fillStyle = get('--seen');
            pen.fillRect(0, height / 3, width, height / 3);
            canvas.dataset.map.split(' ').forEach((row, y) => {
              const tone = y >= height / 3 && y < 2 * height / 3 ? get('--blank') : get('--want');
              let x = 0;
              for (const [, letter, count] of row.matchAll(/([a-j])(\\d*)/g)) {
                const length = +count || 1, share = (letter.charCodeAt(0) - 97) / 9;
                if (share) { pen.fillStyle = `rgba(${tone}, ${share})`; pen.fillRect(x, y, length, 1); }
                x += length;
              }
            });
          }
        }
        draw();
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
        </script></body></html>

        """
}
