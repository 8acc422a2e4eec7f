// Draws the tables that are marked `data-plot` with uPlot: `lines`, `bars` or `stacked`.
//
// The first column of a table is the x axis: times (`<time datetime>`) or texts. Each other column is a
// series, unless its heading has `data-plot-skip`; `data-ink` of a heading names its colour. A cell's
// number is its `data-value`, else its text. `data-step` (`hour` or `day`) of the table is the time between
// two rows, and `data-until` a later time up to which the axis goes. The table stays the accessible form: the drawing is hidden
// from assistive technology, and the `<details>` around the table is closed once there is a drawing.
(() => {
  "use strict";

  const DAY = 86400;
  // Seconds between two times of an axis.
  const STEPS = [3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600];
  STEPS.push(...[1, 2, 3, 5, 7, 10, 14, 28, 56, 112, 224].map((days) => days * DAY));
  const STEP_OF = { hour: 3600, day: DAY };
  const INKS = ["accent", "good", "warn", "bad", "muted"];
  const NARROW = 480;
  // Between two numbers of an axis for counts.
  const WHOLE = [1, 2, 5].flatMap((each) => Array.from({ length: 12 }, (_, n) => each * 10 ** n));
  WHOLE.sort((one, other) => one - other);
  const drawn = new Map();

  const property = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || "gray";

  const faded = (colour, alpha) => {
    const context = document.createElement("canvas").getContext("2d");
    context.fillStyle = colour;
    const solid = context.fillStyle;
    return solid.startsWith("#")
      ? `${solid}${Math.round(alpha * 255).toString(16).padStart(2, "0")}`
      : solid;
  };

  const number = (cell) => {
    const text = cell.dataset.value ?? cell.textContent.replaceAll(",", "").trim();
    return text === "" || Number.isNaN(Number(text)) ? null : Number(text);
  };

  // The columns of a table as series, and its rows as their points.
  const read = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
    const columns = heads
      .map((head, index) => ({ head, index }))
      .slice(1)
      .filter(({ head }) => head.dataset.plotSkip === undefined);
    const times = rows.map((row) => row.cells[0].querySelector("time"));
    const timed = rows.length > 0 && times.every(Boolean);
    return {
      timed,
      step: timed ? STEP_OF[table.dataset.step] : 1,
      until: timed && table.dataset.until ? Date.parse(table.dataset.until) / 1000 : null,
      labels: rows.map((row) => row.cells[0].textContent.trim()),
      xs: timed
        ? times.map((time) => Date.parse(time.dateTime) / 1000)
        : rows.map((_row, index) => index),
      series: columns.map(({ head, index }, place) => ({
        name: head.textContent.trim(),
        ink: head.dataset.ink || INKS[place % INKS.length],
        values: rows.map((row) => number(row.cells[index])),
      })),
    };
  };

  // Bars stand on those of the series before them.
  const stacked = (series) => {
    const below = series[0] ? series[0].values.map(() => 0) : [];
    return series.map(({ values }) =>
      values.map((value, index) => {
        below[index] += value || 0;
        return below[index];
      }),
    );
  };

  const axis = (more) => ({
    stroke: property("muted"),
    font: "12px system-ui, sans-serif",
    grid: { stroke: faded(property("line"), 0.6), width: 1 },
    ticks: { stroke: property("line"), width: 1, size: 4 },
    ...more,
  });

  const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
  const exact = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

  const legend = (found) => {
    const list = document.createElement("ul");
    list.className = "plot-legend";
    const items = found.series.map((series) => {
      const item = document.createElement("li");
      const swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = property(series.ink);
      const value = document.createElement("b");
      item.append(swatch, ` ${series.name} `, value);
      list.append(item);
      return value;
    });
    const where = document.createElement("li");
    where.className = "plot-where";
    list.append(where);
    const tell = (index) => {
      where.textContent = index === null ? "" : found.labels[index];
      found.series.forEach((series, place) => {
        const value = index === null ? null : series.values[index];
        items[place].textContent = value === null || value === undefined ? "" : exact.format(value);
      });
    };
    return { list, tell };
  };

  const options = (found, kind, width, height, tell) => {
    const bars = kind !== "lines";
    const paths = bars
      ? uPlot.paths.bars({ size: [0.7, 42], radius: kind === "stacked" ? 0 : 0.15 })
      : undefined;
    const counts = found.series.every(({ values }) =>
      values.every((value) => value === null || Number.isInteger(value)),
    );
    const alone = found.xs.length === 1;
    const between = alone ? 3600 : found.xs[1] - found.xs[0];
    const gap = found.step || between;
    return {
      width,
      height,
      padding: [8, 18, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: !bars } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      scales: {
        // Whole bars stand inside.
        x: {
          time: found.timed,
          // Of its own accord, uPlot gives a single time an axis of years.
          range: () => {
            const least = found.xs[0];
            const most = Math.max(found.xs.at(-1), found.until ?? least);
            return bars || least === most ? [least - gap * 0.6, most + gap * 0.6] : [least, most];
          },
        },
        y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.08 : 1] },
      },
      axes: [
        axis({
          grid: { show: false },
          size: found.timed && gap < DAY ? 44 : 28,
          ...(found.timed
            ? {
                incrs: STEPS.filter((step) => step >= gap),
                values: [
                  [DAY, "{D} {MMM}", null, null, null, null, null, null, 1],
                  [3600, "{HH}:{mm}", "\n{D} {MMM}", null, null, null, null, null, 1],
                  [60, "{HH}:{mm}", "\n{D} {MMM}", null, null, null, null, null, 1],
                ],
              }
            : {
                incrs: [1, 2, 5, 10, 20, 50],
                values: (_plot, splits) =>
                  splits.map((place) =>
                    Number.isInteger(place) ? (found.labels[place] ?? "") : "",
                  ),
              }),
        }),
        axis({
          size: 46,
          ...(counts ? { incrs: WHOLE } : {}),
          values: (_plot, splits) => splits.map((value) => short.format(value)),
        }),
      ],
      series: [
        {},
        ...found.series.map((series) => ({
          label: series.name,
          stroke: bars ? undefined : property(series.ink),
          fill: bars ? property(series.ink) : faded(property(series.ink), 0.1),
          width: bars ? 0 : 2,
          // A point between two gaps has no line.
          points: { show: !bars && (alone || series.values.includes(null)), size: 6 },
          paths,
        })),
      ],
      hooks: { setCursor: [(plot) => tell(plot.cursor.idx ?? null)] },
    };
  };

  const draw = (table) => {
    drawn.get(table)?.end();
    const found = read(table);
    if (found.xs.length === 0 || found.series.length === 0) return;
    const kind = table.dataset.plot;
    const frame = document.createElement("div");
    frame.className = "drawing";
    frame.setAttribute("aria-hidden", "true");
    const canvas = document.createElement("div");
    const { list, tell } = legend(found);
    frame.append(list, canvas);
    const details = table.closest("details");
    (details || table.closest("[data-plot-frame]") || table).before(frame);
    const size = () => ({
      width: Math.max(canvas.clientWidth, 200),
      height: Number(table.dataset.plotHeight) || (canvas.clientWidth < NARROW ? 170 : 230),
    });
    const columns = kind === "stacked" ? stacked(found.series) : found.series.map((s) => s.values);
    // Of stacked bars, the highest are drawn first, and the lower ones over them.
    const over = kind === "stacked" ? { ...found, series: [...found.series].reverse() } : found;
    const data = [found.xs, ...(kind === "stacked" ? columns.reverse() : columns)];
    const { width, height } = size();
    const plot = new uPlot(options(over, kind, width, height, tell), data, canvas);
    const watched = new ResizeObserver(() => {
      const now = size();
      if (now.width !== plot.width || now.height !== plot.height) plot.setSize(now);
    });
    watched.observe(canvas);
    drawn.set(table, {
      end: () => {
        watched.disconnect();
        plot.destroy();
        frame.remove();
      },
    });
  };

  const drawAll = (inside) => {
    for (const [table, plot] of drawn) {
      if (!table.isConnected) {
        plot.end();
        drawn.delete(table);
      }
    }
    for (const table of inside.querySelectorAll("table[data-plot]")) {
      const first = !drawn.has(table);
      draw(table);
      const details = table.closest("details");
      if (first && details && drawn.has(table)) details.open = false;
    }
  };

  drawAll(document);
  document.addEventListener("htmx:load", (event) => {
    if (event.target !== document.body) drawAll(event.target);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawAll(document));
})();
