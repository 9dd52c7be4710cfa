// The page's data: a short entry for every item at once, details in chunks when they are looked at.
const head = JSON.parse(document.getElementById("head").textContent);
const items = JSON.parse(document.getElementById("entries").textContent).map(
  ([id, caseId, pairId, target, rate, length, facets, segments], index) => ({
    index, id, caseId, pairId, target, rate, length, facets,
    seconds: rate ? length / rate : 0,
    segments: segments.map(([title, speaker, start, len, tail, far, text]) => ({ title, speaker, start, length: len, tail, far: far === 1, text })),
  }),
);
const indexOfId = new Map(items.map((item) => [item.id, item.index]));
const membersOfPair = groupBy("pairId");
const itemsOfCase = groupBy("caseId");

function groupBy(field) {
  const groups = new Map();
  for (const item of items) {
    if (item[field] === null) continue;
    if (!groups.has(item[field])) groups.set(item[field], []);
    groups.get(item[field]).push(item);
  }
  return groups;
}

// Chunks that were read last; the map keeps the order of use.
const chunks = new Map();
const CHUNKS_KEPT = 8;
const waiting = new Map();

async function detailOf(item) {
  const number = Math.floor(item.index / head.chunk);
  const chunk = chunks.get(number) ?? loadChunk(number);
  chunks.delete(number);
  chunks.set(number, chunk);
  if (chunks.size > CHUNKS_KEPT) chunks.delete(chunks.keys().next().value);
  try {
    return (await chunk)[item.index % head.chunk];
  } catch (error) {
    chunks.delete(number);
    throw error;
  }
}

function loadChunk(number) {
  if (head.embedded) return Promise.resolve(JSON.parse(document.getElementById(`chunk-${number}`).textContent));
  return new Promise((resolve, reject) => {
    const address = `${head.files}/${String(number).padStart(5, "0")}.js`;
    const script = make("script", { src: address });
    waiting.set(number, resolve);
    script.onload = () => {
      script.remove();
      reject(new Error(`${address} belongs to another report`)); // no effect where it has resolved
    };
    script.onerror = () => {
      script.remove();
      reject(new Error(`cannot read ${address}: the folder must lie beside this page`));
    };
    document.head.append(script);
  });
}

window.vgsynthChunk = (key, number, details) => {
  if (key === head.key) waiting.get(number)?.(details);
  waiting.delete(number);
};

// What is known of an item's sound: its samples where they can be read, else the preview.
async function analyse(item, detail) {
  if (detail.wav) {
    const bytes = bytesOf(detail.wav);
    return { ...decodeWav(bytes), bytes };
  }
  if (location.protocol.startsWith("http")) {
    try {
      const answer = await fetch(detail.url);
      if (answer.ok) return decodeWav(new Uint8Array(await answer.arrayBuffer()));
    } catch {
      // The preview is shown instead, and says so.
    }
  }
  return { preview: detail.preview, rate: item.rate };
}
