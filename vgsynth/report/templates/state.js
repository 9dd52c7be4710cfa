// What is shown is a function of the address: #condition=switch&source=different&q=lights&page=2&item=...
const PAGE_ITEMS = 100;
const facetAt = new Map(head.facets.map((facet, at) => [facet.key, at]));
let state = readAddress();

function readAddress() {
  const found = { filters: new Map(), q: "", pair: null, case: null, page: null, item: null, with: null };
  const hash = location.hash.slice(1);
  for (const [key, value] of hash.includes("=") ? new URLSearchParams(hash) : []) {
    if (facetAt.has(key)) {
      const at = facetAt.get(key);
      if (!found.filters.has(at)) found.filters.set(at, new Set());
      // A value that no item has stays in force, and nothing matches it.
      found.filters.get(at).add(head.facets[at].values.indexOf(value));
    } else if (key === "page") found.page = Math.max(1, Number.parseInt(value, 10) || 1);
    else if (key in found && key !== "filters") found[key] = value;
  }
  return found;
}

function addressOf(wanted) {
  const params = new URLSearchParams();
  for (const [at, values] of [...wanted.filters].sort((a, b) => a[0] - b[0])) {
    for (const value of [...values].sort((a, b) => a - b)) params.append(head.facets[at].key, head.facets[at].values[value] ?? "?");
  }
  for (const key of ["q", "case", "pair", "page", "item", "with"]) {
    if (wanted[key] !== null && !(key === "q" && wanted.q === "")) params.set(key, wanted[key]);
  }
  return `#${params}`;
}

function go(change, { replace = false } = {}) {
  state = { ...state, ...change };
  history[replace ? "replaceState" : "pushState"](null, "", addressOf(state));
  render();
}

// Filters begin a new list: no page, no open item.
function refine(change, options) {
  go({ page: null, item: null, with: null, ...change }, options);
}

function haystack(item) {
  item.hay ??= [item.id, item.caseId, ...item.segments.map((segment) => segment.text)].join("\n").toLowerCase();
  return item.hay;
}

// The items that pass, and for every facet how many would pass with each of its values.
function select(wanted) {
  const words = wanted.q.toLowerCase().split(/\s+/).filter(Boolean);
  const filters = [...wanted.filters];
  const counts = head.facets.map((facet) => new Int32Array(facet.values.length));
  const found = [];
  for (const item of items) {
    if (wanted.pair !== null && item.pairId !== wanted.pair) continue;
    if (wanted.case !== null && item.caseId !== wanted.case) continue;
    if (words.length && !words.every((word) => haystack(item).includes(word))) continue;
    let failed = -1;
    let failures = 0;
    for (const [at, values] of filters) {
      const own = item.facets[at];
      if (typeof own === "number" ? !values.has(own) : !own.some((value) => values.has(value))) {
        failed = at;
        if (++failures > 1) break;
      }
    }
    if (failures > 1) continue;
    if (failures === 0) found.push(item);
    for (let at = 0; at < counts.length; at++) {
      if (failures === 1 && at !== failed) continue;
      const own = item.facets[at];
      if (typeof own === "number") counts[at][own]++;
      else for (const value of own) counts[at][value]++;
    }
  }
  return { found, counts };
}
