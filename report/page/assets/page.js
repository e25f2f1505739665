// Draws each plot with uPlot once it comes into view, in the place of its SVG.
// Scales, looks and rows come from Go; here are only the strokes.
"use strict";
(() => {
  const root = document.documentElement;
  const colour = (name) => getComputedStyle(root).getPropertyValue("--" + name).trim();
  const dashes = [[], [7, 4], [2, 4]];
  const tall = (holder) => (holder.closest(".large") && innerWidth > 576 ? 460 : 340);
  const font = "12px system-ui, sans-serif";

  // full and short write numbers as number.go does.
  const full = (v) => {
    const a = Math.abs(v);
    if (a >= 1e5 && a < 1e15) return v.toFixed(0);
    return String(+v.toPrecision(6));
  };
  const short = (v) => {
    for (const [from, by, name] of [[1e12, 1e12, "T"], [1e9, 1e9, "G"], [1e6, 1e6, "M"], [1e4, 1e3, "k"]]) {
      if (Math.abs(v) >= from) return full(v / by) + name;
    }
    return full(v);
  };
  const named = (axis, v) => {
    const i = axis.at ? axis.at.indexOf(v) : -1;
    return i < 0 ? full(v) : axis.text[i];
  };

  // column spreads the points of a series over the common column of x. Rows
  // that it has no point in are undefined: lines pass over them, and stop at
  // null.
  const column = (n, rows, values) => {
    const all = new Array(n).fill(undefined);
    rows.forEach((row, k) => { all[row] = values[k]; });
    return all;
  };

  // runs are the stretches of a series between missing values, as indexes.
  const runs = (values) => {
    const all = [];
    let run = [];
    values.forEach((v, k) => {
      if (v == null) { if (run.length) all.push(run); run = []; } else run.push(k);
    });
    if (run.length) all.push(run);
    return all;
  };

  const trace = (path, shape, x, y, z) => {
    switch (shape) {
      case 1: path.rect(x - 3.5 * z, y - 3.5 * z, 7 * z, 7 * z); break;
      case 2: path.moveTo(x, y - 5 * z); path.lineTo(x + 5 * z, y); path.lineTo(x, y + 5 * z); path.lineTo(x - 5 * z, y); path.closePath(); break;
      case 3: path.moveTo(x, y - 4.6 * z); path.lineTo(x + 4.6 * z, y + 3.4 * z); path.lineTo(x - 4.6 * z, y + 3.4 * z); path.closePath(); break;
      default: path.moveTo(x + 4 * z, y); path.arc(x, y, 4 * z, 0, 2 * Math.PI);
    }
  };

  // sample is the sign of a series and its name, for the legend.
  const outlines = ["M14 7a4 4 0 1 1 -8 0a4 4 0 1 1 8 0Z", "M6.5 3.5h7v7h-7Z", "M10 2l5 5l-5 5l-5 -5Z", "M10 2.4l4.6 8h-9.2Z"];
  const sample = (s) => {
    const label = document.createElement("span");
    const svg = label.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
    const stroke = (attributes) => {
      const path = svg.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path"));
      for (const [name, value] of Object.entries(attributes)) path.setAttribute(name, value);
    };
    const lined = { class: "s" + s.colour, fill: "none", "stroke-width": 1.8 };
    if (s.kind === "line" || s.kind === "both") stroke({ ...lined, d: "M0 7H20", "stroke-dasharray": dashes[s.dash].join(" ") });
    if (s.kind === "points") stroke({ ...lined, d: outlines[s.shape] });
    if (s.kind === "both") stroke({ class: "f" + s.colour, d: outlines[s.shape] });
    if (s.kind === "bars") stroke({ class: "f" + s.colour, d: "M4 2h12v10h-12Z" });
    if (s.kind === "steps") {
      stroke({ class: "f" + s.colour, d: "M4 2h12v10h-12Z", "fill-opacity": 0.16 });
      stroke({ ...lined, d: "M4 2H16" });
    }
    label.append(s.name);
    return label;
  };

  const build = (holder, d) => {
    const n = d.at.length;
    const place = (u, s, k) => [u.valToPos(d.at[s.row[k]], "x", true), (v) => u.valToPos(v, "y", true)];

    // inside keeps strokes within the field, but lets markers lap over its edge.
    const inside = (u, room, strokes) => {
      const { left, top, width, height } = u.bbox;
      u.ctx.save();
      u.ctx.beginPath();
      u.ctx.rect(left - room, top - room, width + 2 * room, height + 2 * room);
      u.ctx.clip();
      strokes(u.ctx);
      u.ctx.restore();
    };

    const whisker = (u, s, k, aside, stroke) => inside(u, 0, (ctx) => {
      const [x, y] = place(u, s, k);
      ctx.beginPath();
      ctx.moveTo(x + aside, y(s.low[k]));
      ctx.lineTo(x + aside, y(s.high[k]));
      ctx.strokeStyle = stroke;
      ctx.lineWidth = 1.2 * uPlot.pxRatio;
      ctx.stroke();
    });

    const bands = (u) => d.series.forEach((s, i) => {
      if (!s.low || s.kind === "bars" || !u.series[i + 1].show) return;
      const both = s.low.map((v, k) => (v == null || s.high[k] == null ? null : v));
      const stroke = colour("c" + s.colour);
      for (const run of runs(both)) {
        if (run.length === 1) { whisker(u, s, run[0], 0, stroke); continue; }
        inside(u, 0, (ctx) => {
          ctx.beginPath();
          for (const k of run) { const [x, y] = place(u, s, k); ctx.lineTo(x, y(s.high[k])); }
          for (const k of run.slice().reverse()) { const [x, y] = place(u, s, k); ctx.lineTo(x, y(s.low[k])); }
          ctx.closePath();
          ctx.globalAlpha = 0.16;
          ctx.fillStyle = stroke;
          ctx.fill();
        });
      }
    });

    const markers = (u, s, only) => inside(u, 6 * uPlot.pxRatio, (ctx) => {
      const path = new Path2D();
      for (const k of only) { const [x, y] = place(u, s, k); trace(path, s.shape, x, y(s.y[k]), uPlot.pxRatio); }
      ctx.strokeStyle = ctx.fillStyle = colour("c" + s.colour);
      ctx.lineWidth = 1.6 * uPlot.pxRatio;
      ctx.setLineDash([]);
      if (s.kind === "points") ctx.stroke(path); else ctx.fill(path);
    });

    // distance is the smallest between two bars, at most a sixth of the field.
    const distance = (u) => {
      let least = u.bbox.width / 6;
      for (const s of d.series) {
        if (s.kind !== "bars") continue;
        for (let k = 1; k < s.row.length; k++) {
          const step = place(u, s, k)[0] - place(u, s, k - 1)[0];
          if (step > 0) least = Math.min(least, step);
        }
      }
      return least;
    };
    const bars = (u, s) => {
      const width = distance(u) * 0.8 / d.bars;
      const aside = (s.bar - (d.bars - 1) / 2) * width;
      const floor = d.y.log ? u.bbox.top + u.bbox.height : u.valToPos(Math.max(d.y.lo, Math.min(d.y.hi, 0)), "y", true);
      inside(u, 0, (ctx) => {
        ctx.fillStyle = colour("c" + s.colour);
        s.y.forEach((v, k) => {
          if (v == null) return;
          const [x, y] = place(u, s, k);
          ctx.fillRect(x + aside - width * 0.46, Math.min(floor, y(v)), width * 0.92, Math.abs(floor - y(v)));
        });
      });
      if (s.low) s.low.forEach((v, k) => { if (v != null && s.high[k] != null) whisker(u, s, k, aside, colour("muted")); });
    };

    const strokes = (u, i) => {
      const s = d.series[i - 1];
      if (s.kind === "bars") bars(u, s);
      else if (s.kind === "steps") return false;
      else if (s.kind === "line") markers(u, s, runs(s.y).filter((run) => run.length === 1).flat());
      else markers(u, s, runs(s.y).flat());
      return false;
    };

    const paths = { line: uPlot.paths.linear(), both: uPlot.paths.linear(), steps: uPlot.paths.stepped({ align: 1 }) };
    const faint = (name) => `color-mix(in srgb, ${colour(name)} 16%, transparent)`;
    const series = d.series.map((s) => ({
      label: sample(s),
      stroke: () => colour("c" + s.colour),
      width: 1.8,
      dash: dashes[s.dash],
      paths: paths[s.kind] || (() => null),
      ...(s.kind === "steps" ? { fill: () => faint("c" + s.colour) } : {}),
      points: { show: strokes },
      value: (u, v, i, row) => (row == null ? "" : v == null ? "–" : named(d.y, v)),
    }));

    // Fixed ticks are thinned to those whose texts do not touch, minor ones
    // first. A part of an axis that has none is named at its ends.
    const thin = (a, lo, hi, fit) => {
      const within = (v) => v >= lo * (1 - Math.sign(lo) * 1e-9) && v <= hi * (1 + Math.sign(hi) * 1e-9);
      let seen = a.at.filter(within);
      if (seen.length < 2 && a.log) return [lo, hi];
      if (seen.length > fit) seen = a.at.filter((v, i) => within(v) && !a.minor[i]);
      const every = Math.max(1, Math.ceil(seen.length / Math.max(fit, 1)));
      return seen.filter((v, i) => i % every === 0);
    };
    const ticks = (a, vertical) => (a.at ? {
      splits: (u, i, lo, hi) => {
        const room = (vertical ? u.bbox.height : u.bbox.width) / uPlot.pxRatio;
        return thin(a, lo, hi, room / (vertical ? 18 : 12 + 6.8 * Math.max(...a.text.map((t) => t.length))));
      },
      values: (u, at) => at.map((v) => (a.at.includes(v) ? named(a, v) : short(v))),
      filter: (u, at) => at,
    } : {
      values: (u, at) => at.map((v) => (v == null ? "" : short(v))),
    });
    const axis = (a, vertical) => ({
      label: a.title || null,
      labelSize: 20,
      font, labelFont: font,
      stroke: () => colour("muted"),
      grid: { stroke: () => colour("rule"), width: 1 },
      ticks: { stroke: () => colour("rule"), width: 1, size: 5 },
      border: { show: true, stroke: () => colour("muted"), width: 1 },
      size: vertical ? (u, texts) => 16 + 6.8 * Math.max(1, ...(texts || []).map((t) => (t || "").length)) : 34,
      ...ticks(a, vertical),
    });
    const scale = (a) => ({ time: false, auto: true, ...(a.log ? { distr: 3, log: a.log } : {}) });

    const size = () => ({ width: holder.clientWidth, height: tall(holder) });
    const u = new uPlot({
      ...size(),
      padding: [10, 14, 0, 0],
      series: [{ label: d.x.title || "x", value: (u, v, i, row) => (row == null ? "" : named(d.x, v)) }, ...series],
      axes: [axis(d.x, false), axis(d.y, true)],
      scales: {
        // The whole reach, unless the reader has chosen a part of it.
        x: { ...scale(d.x), range: (u, lo, hi) => (n === 0 || lo == null || (lo === d.at[0] && hi === d.at[n - 1]) ? [d.x.lo, d.x.hi] : [lo, hi]) },
        y: { ...scale(d.y), range: () => [d.y.lo, d.y.hi] },
      },
      cursor: {
        y: false,
        dataIdx: (u, i, row) => row, // not a neighbour's value where a series has none
        drag: { x: true, y: false },
        points: { size: 9, width: 2, fill: () => colour("paper"), stroke: (u, i) => colour("c" + d.series[i - 1].colour) },
      },
      legend: { markers: { show: false } },
      hooks: { drawAxes: [bands] },
    }, [d.at, ...d.series.map((s) => column(n, s.row, s.y))], holder);

    const canvas = u.root.querySelector("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", holder.querySelector("svg").getAttribute("aria-label"));

    // The legend takes its rows from the height of the whole.
    const fit = () => {
      const legend = u.root.querySelector(".u-legend");
      const size = { width: holder.clientWidth, height: Math.max(230, tall(holder) - (legend ? legend.offsetHeight : 0)) };
      if (size.width > 0 && (size.width !== u.width || size.height !== u.height)) u.setSize(size);
    };
    fit();
    return { fit, destroy: () => u.destroy() };
  };

  const drawn = new Map();
  const draw = (figure) => {
    if (drawn.has(figure)) return;
    const holder = figure.querySelector(".chart");
    drawn.set(figure, build(holder, JSON.parse(figure.querySelector("script").textContent)));
    holder.classList.add("drawn");
    root.dataset.charts = drawn.size;
  };

  const figures = document.querySelectorAll("figure:not(.rows)");
  const seen = new IntersectionObserver((entries) => {
    for (const e of entries) if (e.isIntersecting) { seen.unobserve(e.target); draw(e.target); }
  }, { rootMargin: "500px" });
  figures.forEach((f) => seen.observe(f));

  addEventListener("resize", () => drawn.forEach((chart) => chart.fit()));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    const again = [...drawn.keys()];
    drawn.forEach((chart) => chart.destroy());
    drawn.clear();
    again.forEach(draw);
  });
})();
