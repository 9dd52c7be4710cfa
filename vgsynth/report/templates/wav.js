// Reads 16-bit mono PCM exactly. (decodeAudioData would resample to the rate of the machine's sound card, and
// sample counts could no longer be compared.)
function decodeWav(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tag = (at) => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (bytes.length < 12 || tag(0) !== "RIFF" || tag(8) !== "WAVE") throw new Error("not a WAV file");
  let rate = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = tag(at);
    const size = view.getUint32(at + 4, true);
    if (name === "fmt ") {
      const [format, channels, bits] = [0, 2, 14].map((offset) => view.getUint16(at + 8 + offset, true));
      if (format !== 1 || channels !== 1 || bits !== 16) throw new Error("not 16-bit mono PCM");
      rate = view.getUint32(at + 12, true);
    } else if (name === "data") {
      if (!rate) throw new Error("no format before the samples");
      const count = Math.min(size, bytes.length - at - 8) >> 1;
      const samples = new Float32Array(count);
      for (let i = 0; i < count; i++) samples[i] = view.getInt16(at + 8 + 2 * i, true) / 32768;
      return { rate, samples };
    }
    at += 8 + size + (size & 1);
  }
  throw new Error("no samples in the file");
}

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
