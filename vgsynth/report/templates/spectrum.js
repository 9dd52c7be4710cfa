// Spectrograms, by the definition that vgsynth/report/preview.py has too.
const FLOOR_DBFS = -100;
const CEILING_DBFS = -25;
const WINDOW_S = 0.032;

// In-place radix-2 transform of a complex signal; the length is a power of two.
function fft(re, im) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    for (let k = 0; k < half; k++) {
      const angle = (-2 * Math.PI * k) / size;
      const c = Math.cos(angle);
      const s = Math.sin(angle);
      for (let at = k; at < n; at += size) {
        const to = at + half;
        const xr = re[to] * c - im[to] * s;
        const xi = re[to] * s + im[to] * c;
        re[to] = re[at] - xr;
        im[to] = im[at] - xi;
        re[at] += xr;
        im[at] += xi;
      }
    }
  }
}

// Levels in dBFS (a full-scale sinusoid has 0 in its bin), column by column, `bins` each, low frequencies first.
function spectrogram(samples, rate, columns) {
  const size = 2 ** Math.round(Math.log2(WINDOW_S * rate));
  const bins = size / 2;
  const window = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
  const scale = (2 / window.reduce((sum, w) => sum + w, 0)) ** 2;
  const levels = new Float32Array(columns * bins);
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  for (let column = 0; column < columns; column++) {
    const start = Math.floor(((column + 0.5) * samples.length) / columns) - size / 2;
    for (let i = 0; i < size; i++) re[i] = (samples[start + i] ?? 0) * window[i];
    im.fill(0);
    fft(re, im);
    for (let bin = 0; bin < bins; bin++) {
      levels[column * bins + bin] = 10 * Math.log10((re[bin] ** 2 + im[bin] ** 2) * scale + 1e-12);
    }
  }
  return { columns, bins, levels };
}

// Dark to light in even steps of lightness: black, violet, red, orange, pale yellow.
const COLOURS = (() => {
  const stops = [[2, 2, 8], [30, 18, 74], [84, 22, 118], [140, 40, 120], [196, 58, 98], [238, 98, 74], [252, 154, 92], [254, 208, 140], [252, 250, 200]];
  return Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (stops.length - 1);
    const below = Math.min(Math.floor(at), stops.length - 2);
    return stops[below].map((from, k) => Math.round(from + (stops[below + 1][k] - from) * (at - below)));
  });
})();

function colourOf(dbfs) {
  const part = (dbfs - FLOOR_DBFS) / (CEILING_DBFS - FLOOR_DBFS);
  return COLOURS[Math.round(255 * Math.min(1, Math.max(0, part)))];
}
