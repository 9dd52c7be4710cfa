// Waveform, spectrogram and timeline of one item on one axis of time.
const speakerColour = (speaker) => `var(--s${speaker % 6})`;
const cssColour = (name) => getComputedStyle(root).getPropertyValue(name).trim();
const toPercent = (seconds, range) => `${((100 * seconds) / range.seconds).toFixed(3)}%`;

function tickStep(span, most) {
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((base) => base * power >= rough) ?? 10);
}

function block(item, segment, range, ...children) {
  const element = make("div", {
    class: segment.far ? "block far" : "block",
    title: describe(item, segment),
    "--c": speakerColour(segment.speaker),
  }, ...children);
  element.style.left = toPercent(segment.start / item.rate, range);
  element.style.width = toPercent(segment.length / item.rate, range);
  return element;
}

function tail(item, segment, range) {
  const element = make("div", { class: "tail", "--c": speakerColour(segment.speaker) });
  element.style.left = toPercent((segment.start + segment.length) / item.rate, range);
  element.style.width = toPercent(Math.min(segment.tail, item.length - segment.start - segment.length) / item.rate, range);
  return element;
}

function describe(item, segment) {
  const from = (segment.start / item.rate).toFixed(3);
  const to = ((segment.start + segment.length) / item.rate).toFixed(3);
  return `${segment.title}, ${head.speakers[segment.speaker]}${segment.far ? ", far" : ""}, ${from} to ${to} s`;
}

function gapWords(samples, rate) {
  const ms = (samples * 1000) / rate;
  return `${Number(ms.toFixed(1)).toLocaleString("en")} ms`;
}

// The small picture in a row of the list.
function strip(item, seconds) {
  const element = make("div", { class: "strip", "aria-hidden": "true" });
  if (!item.rate) return make("div", { class: "hint" }, "text only");
  const range = { seconds };
  for (const segment of item.segments) {
    if (segment.tail) element.append(tail(item, segment, range));
    element.append(block(item, segment, range));
  }
  return element;
}

function timeline(item, range) {
  const track = make("div", { class: "track" });
  let end = 0;
  item.segments.forEach((segment, at) => {
    if (segment.start > end) {
      const gap = make("div", { class: "gap" }, make("i", {}, gapWords(segment.start - end, item.rate)));
      gap.style.left = toPercent(end / item.rate, range);
      gap.style.width = toPercent((segment.start - end) / item.rate, range);
      // A first gap of the clip is lead-in; narrow gaps would hide their number anyway.
      if (at === 0 || segment.start - end > 0.02 * range.seconds * item.rate) track.append(gap);
    }
    if (segment.tail) track.append(tail(item, segment, range));
    const label = `${segment.title} · ${head.speakers[segment.speaker]}`;
    track.append(block(item, segment, range, make("span", {}, make("bdi", {}, label))));
    end = Math.max(end, segment.start + segment.length);
  });
  const ticks = make("div", { class: "ticks", "aria-hidden": "true" });
  const step = tickStep(range.seconds, 8);
  for (let n = 0; n * step <= range.seconds * 1.0001; n++) {
    const mark = make("span", {}, `${Number((n * step).toFixed(3))}${n === 0 ? " s" : ""}`);
    if (n * step > range.seconds * 0.985) mark.className = "end";
    mark.style.left = toPercent(n * step, range);
    ticks.append(mark);
  }
  return make("div", { class: "lane time" }, track, ticks);
}

// Lowest and highest sample of each pixel column.
function envelopeOf(sound, columns, seconds, item) {
  const low = new Float32Array(columns);
  const high = new Float32Array(columns);
  if (sound.samples) {
    const { samples, rate } = sound;
    for (let x = 0; x < columns; x++) {
      const from = Math.floor((x * seconds * rate) / columns);
      const to = Math.min(samples.length, Math.max(from + 1, Math.floor(((x + 1) * seconds * rate) / columns)));
      for (let i = from; i < to; i++) {
        if (samples[i] < low[x]) low[x] = samples[i];
        if (samples[i] > high[x]) high[x] = samples[i];
      }
    }
    return { low, high };
  }
  const pairs = new Int8Array(bytesOf(sound.preview.envelope).buffer);
  const unit = sound.preview.peak / 127;
  for (let x = 0; x < columns; x++) {
    const at = Math.floor((((x + 0.5) / columns) * seconds * sound.preview.columns) / item.seconds);
    if (at >= sound.preview.columns) break;
    low[x] = pairs[2 * at] * unit;
    high[x] = pairs[2 * at + 1] * unit;
  }
  return { low, high };
}

function sizeCanvas(canvas) {
  const density = Math.min(window.devicePixelRatio || 1, 2);
  canvas.width = Math.max(1, Math.round(canvas.clientWidth * density));
  canvas.height = Math.max(1, Math.round(canvas.clientHeight * density));
  return canvas.getContext("2d");
}

function drawWave(canvas, item, sound, range) {
  const context = sizeCanvas(canvas);
  const { width, height } = canvas;
  const { low, high } = envelopeOf(sound, width, range.seconds, item);
  const middle = height / 2;
  const unit = middle / range.peak;
  context.fillStyle = cssColour("--line");
  context.fillRect(0, Math.round(middle), width, 1);
  const colours = new Array(width).fill(cssColour("--neutral"));
  for (const segment of item.segments) {
    const from = Math.floor((segment.start / item.rate / range.seconds) * width);
    const to = Math.ceil(((segment.start + segment.length) / item.rate / range.seconds) * width);
    colours.fill(cssColour(`--s${segment.speaker % 6}`), from, to);
  }
  const end = Math.min(width, Math.ceil((item.seconds / range.seconds) * width));
  for (let x = 0; x < end; x++) {
    context.fillStyle = colours[x];
    const top = middle - high[x] * unit;
    context.fillRect(x, top, 1, Math.max(1, (high[x] - low[x]) * unit));
  }
  context.fillStyle = cssColour("--soft");
  for (const segment of item.segments) {
    for (const at of [segment.start, segment.start + segment.length]) {
      for (let y = 0; y < height; y += 6) context.fillRect(Math.round((at / item.rate / range.seconds) * width), y, 1, 2);
    }
  }
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function levelsOf(sound, columns) {
  if (sound.samples) return spectrogram(sound.samples, sound.rate, columns);
  const { columns: own, bands, spectrogram: digits } = sound.preview;
  const values = new Map([...DIGITS].map((digit, at) => [digit, FLOOR_DBFS + (at / 63) * (CEILING_DBFS - FLOOR_DBFS)]));
  return { columns: own, bins: bands, levels: Float32Array.from(digits, (digit) => values.get(digit)) };
}

function drawSpectrogram(canvas, item, sound, range) {
  const context = sizeCanvas(canvas);
  const width = Math.max(1, Math.round(canvas.width * Math.min(1, item.seconds / range.seconds)));
  const { columns, bins, levels } = levelsOf(sound, Math.min(width, 1400));
  const picture = new ImageData(columns, bins);
  for (let x = 0; x < columns; x++) {
    for (let bin = 0; bin < bins; bin++) {
      const [r, g, b] = colourOf(levels[x * bins + bin]);
      picture.data.set([r, g, b, 255], 4 * ((bins - 1 - bin) * columns + x));
    }
  }
  const small = new OffscreenCanvas(columns, bins);
  small.getContext("2d").putImageData(picture, 0, 0);
  context.imageSmoothingEnabled = Boolean(sound.samples);
  context.drawImage(small, 0, 0, width, canvas.height);
}

function scale(...labels) {
  const element = make("div", { class: "scale", "aria-hidden": "true" });
  for (const [at, words] of labels) {
    const mark = make("span", {}, words);
    mark.style.top = `${100 * at}%`;
    element.append(mark);
  }
  return element;
}

function figure(item, sound, range, others) {
  const wave = make("canvas");
  const spec = make("canvas");
  const half = item.rate / 2000;
  const cursor = make("div", { class: "cursor" });
  const lanes = make("div", {
    class: "lanes", role: "slider", tabindex: "0", "aria-label": `Position in ${item.id}: ${item.segments.map((s) => describe(item, s)).join("; ")}`,
    "aria-valuemin": "0", "aria-valuemax": item.seconds.toFixed(3),
  },
    make("div", { class: "lane wave" }, scale([0, `+${range.peak}`], [0.5, "0"], [1, `−${range.peak}`]), wave),
    make("div", { class: "lane spec" }, scale([0, `${half} kHz`], [0.25, `${half * 0.75}`], [0.5, `${half / 2}`], [0.75, `${half / 4}`], [1, "0"]), spec),
    timeline(item, range),
    cursor,
  );
  const element = make("figure", { class: "figure", "data-figure": item.id }, lanes, reading(item, sound));

  const place = () => {
    const at = placeOf(item);
    const left = wave.offsetLeft;
    cursor.style.left = `${left + (at / range.seconds) * wave.offsetWidth}px`;
    lanes.setAttribute("aria-valuenow", at.toFixed(3));
    lanes.setAttribute("aria-valuetext", `${at.toFixed(2)} of ${item.seconds.toFixed(2)} seconds`);
  };
  const draw = () => {
    if (!wave.clientWidth) return;
    drawWave(wave, item, sound, range);
    drawSpectrogram(spec, item, sound, range);
    place();
  };
  new ResizeObserver(draw).observe(element);
  listen(element, place);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => element.isConnected && draw());

  const timeAt = (event) => ((event.clientX - wave.getBoundingClientRect().left) / wave.offsetWidth) * range.seconds;
  lanes.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    lanes.setPointerCapture(event.pointerId);
    seek(item, timeAt(event));
  });
  lanes.addEventListener("pointermove", (event) => {
    if (lanes.hasPointerCapture(event.pointerId)) seek(item, timeAt(event));
  });
  lanes.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 1 : 0.1;
    const moves = { ArrowRight: placeOf(item) + step, ArrowLeft: placeOf(item) - step, Home: 0, End: item.seconds };
    if (event.key in moves) seek(item, moves[event.key]);
    else if (event.key === " ") toggle(item);
    else if (event.key === "x" && others().length) swap([item, ...others()]);
    else return;
    event.preventDefault();
  });
  return element;
}

// Go on in the next of the items, at the same time.
function swap(members) {
  const at = Math.max(0, members.findIndex((member) => member === playing));
  const next = members[(at + 1) % members.length];
  play(next, members[at] === playing ? placeOf(members[at]) : 0);
}

// One line that says where the picture comes from, and whether sound and row agree.
function reading(item, sound) {
  const line = make("p", { class: "read", "data-read": item.id });
  if (sound.samples) {
    const count = sound.samples.length;
    line.dataset.samples = count;
    line.dataset.seconds = count / sound.rate;
    const words = `decoded: ${count.toLocaleString("en")} samples at ${sound.rate.toLocaleString("en")} Hz = ${(count / sound.rate).toFixed(4)} s`;
    const same = count === item.length && sound.rate === item.rate;
    line.textContent = same ? `${words}, as in the row` : `${words}, but the row says ${item.length.toLocaleString("en")} at ${item.rate.toLocaleString("en")} Hz`;
    line.classList.toggle("off", !same);
  } else {
    line.textContent = `preview, ${sound.preview.columns} × ${sound.preview.bands} points; ${item.length.toLocaleString("en")} samples = ${item.seconds.toFixed(4)} s by the row`;
  }
  return line;
}
