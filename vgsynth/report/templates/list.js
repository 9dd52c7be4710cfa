// Filters and the list.
const get = (id) => document.getElementById(id);
const number = (value) => value.toLocaleString("en");

function spanWords(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  const two = (value) => String(value).padStart(2, "0");
  return minutes < 60 ? `${minutes} min ${two(Math.round(seconds) % 60)} s` : `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

const optionRows = []; // [facet][value] -> the elements of an option

function buildFacets() {
  head.facets.forEach((facet, at) => {
    optionRows.push([]);
    if (facet.values.length < 2) {
      const name = facet.names[0];
      if (facet.values.length && facet.values[0] !== "") get("constant").append(make("div", {}, `${facet.label}: `, make("b", {}, make("bdi", {}, name))));
      return;
    }
    const options = make("div", { class: "options" });
    facet.values.forEach((value, index) => {
      const box = make("input", { type: "checkbox", "data-facet": facet.key, "data-value": value, onchange: () => choose(at, index, box.checked) });
      const count = make("span", { class: "count" });
      const label = make("label", { class: "option" }, box, make("span", { class: "name" }, make("bdi", {}, facet.names[index])), count);
      optionRows[at].push({ box, count, label });
      options.append(label);
    });
    get("facets").append(make("fieldset", { "data-facet-box": facet.key }, make("legend", {}, make("bdi", {}, facet.label)), options));
  });
  if (get("constant").childElementCount) get("constant").prepend(make("div", {}, "The same for all items:"));
}

function choose(at, index, wanted) {
  const filters = new Map([...state.filters].map(([key, values]) => [key, new Set(values)]));
  const values = filters.get(at) ?? new Set();
  if (wanted) values.add(index);
  else values.delete(index);
  if (values.size) filters.set(at, values);
  else filters.delete(at);
  refine({ filters });
}

// The colours of the speakers in the rows that are shown.
function showLegend(shown) {
  const segments = shown.filter((item) => item.rate).flatMap((item) => item.segments);
  const speakers = [...new Set(segments.map((segment) => segment.speaker))].sort((a, b) => a - b).slice(0, 12);
  const entry = (kind, colour, words) => make("span", {}, make("i", { class: `swatch ${kind}`, "--c": colour }), make("bdi", {}, words));
  get("legend").replaceChildren(...speakers.map((speaker) => entry("", speakerColour(speaker), head.speakers[speaker])));
  if (segments.some((segment) => segment.far)) get("legend").append(entry("far", "var(--neutral)", "far"));
  if (segments.some((segment) => segment.tail)) get("legend").append(entry("ringing", "var(--neutral)", "tail of the room"));
}

// What tells an item from its neighbours: its condition, then its cell or, outside grids, its factors, and its split.
function tagsOf(item) {
  const inCell = head.facets.some((facet, at) => facet.key.startsWith("cell.") && facet.values[item.facets[at]] !== "");
  const tags = [];
  head.facets.forEach((facet, at) => {
    const cell = facet.key.startsWith("cell.");
    if (!cell && !["condition", "split", ...(inCell ? [] : ["source", "distance", "gap"])].includes(facet.key)) return;
    if (facet.values.length < 2 || facet.values[item.facets[at]] === "") return;
    const name = make("bdi", {}, facet.names[item.facets[at]]);
    tags.push(cell ? make("span", { class: "tag" }, make("bdi", {}, facet.key.slice(5)), " ", make("b", {}, name)) : make("span", { class: "tag", title: facet.label }, name));
  });
  return tags;
}

function listRow(item, seconds) {
  const tags = tagsOf(item);
  const kind = head.facets[facetAt.get("target")].values[item.facets[facetAt.get("target")]];
  const words = item.segments.flatMap((segment, at) => [
    make("span", { class: "by" }, at ? " " : "", make("bdi", {}, head.speakers[segment.speaker]), ": "),
    make("span", { class: "say", dir: "auto" }, segment.text.length > 220 ? `${segment.text.slice(0, 220)}…` : segment.text),
  ]);
  const opener = make("button", { type: "button", class: "open-item", "aria-expanded": "false", onclick: () => go({ item: state.item === item.id ? null : item.id, with: null }) }, make("bdi", {}, item.id));
  const row = make("div", { class: "row" },
    playButton(item, item.id),
    make("div", { class: "what" }, opener, " ", ...tags, make("div", { class: "words" }, ...words)),
    strip(item, seconds),
    make("div", { class: `goal ${kind}`, title: item.target }, make("bdi", {}, item.target)),
    make("div", { class: "secs" }, item.rate ? `${item.seconds.toFixed(2)} s` : ""),
  );
  return make("li", { class: "item", "data-item": item.id }, row);
}

function pager(nav, page, pages) {
  nav.replaceChildren();
  if (pages < 2) return;
  const to = (target) => {
    go({ page: target, item: null, with: null });
    get("items-title").scrollIntoView();
  };
  nav.append(
    make("button", { type: "button", disabled: page === 1, onclick: () => to(page - 1) }, "Previous"),
    make("span", {}, `Page ${number(page)} of ${number(pages)}`),
    make("button", { type: "button", disabled: page === pages, onclick: () => to(page + 1) }, "Next"),
  );
}

let listed = null; // what the list now shows, as an address
let opened = null;

function render() {
  const wanted = addressOf({ ...state, item: null, with: null, page: null });
  const fresh = listed?.wanted !== wanted;
  const { found, counts } = fresh ? select(state) : listed;
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ITEMS));
  if (state.item === null && state.pair !== null && found.length) state.item = found[0].id;
  const at = state.item === null ? -1 : found.indexOf(items[indexOfId.get(state.item)]);
  // An open item decides the page; turning pages closes it.
  const page = at >= 0 ? Math.floor(at / PAGE_ITEMS) + 1 : Math.min(pages, state.page ?? 1);
  if (fresh || listed.page !== page) showList(found, page, pages);
  if (fresh) showFilters(counts);
  listed = { wanted, found, counts, page };
  showOpen().catch((error) => fail(error.message));
}

function showList(found, page, pages) {
  const shown = found.slice((page - 1) * PAGE_ITEMS, page * PAGE_ITEMS);
  const seconds = Math.max(0.001, ...shown.map((item) => item.seconds));
  get("items").replaceChildren(...shown.map((item) => listRow(item, seconds)));
  if (!shown.length) get("items").append(make("li", { class: "empty" }, items.length ? "No item passes these filters." : "The manifest has no items."));
  const total = found.reduce((sum, item) => sum + item.seconds, 0);
  const which = shown.length < found.length ? `${number((page - 1) * PAGE_ITEMS + 1)}–${number((page - 1) * PAGE_ITEMS + shown.length)} of ` : "";
  get("status").textContent = `${which}${number(found.length)} ${found.length === 1 ? "item" : "items"}${found.length < items.length ? ` (of ${number(items.length)})` : ""}, ${spanWords(total)}`;
  for (const nav of document.querySelectorAll(".pager")) pager(nav, page, pages);
  showLegend(shown);
  root.dataset.found = found.length;
  opened = null;
}

function showFilters(counts) {
  optionRows.forEach((rows, at) => {
    rows.forEach(({ box, count, label }, index) => {
      box.checked = state.filters.get(at)?.has(index) ?? false;
      count.textContent = number(counts[at][index]);
      label.classList.toggle("none", counts[at][index] === 0 && !box.checked);
    });
    // A facet that could not narrow what is left only takes up room.
    const box = rows[0]?.label.closest("fieldset");
    if (box) box.hidden = !state.filters.has(at) && counts[at].filter((count) => count > 0).length < 2;
  });
  if (document.activeElement !== get("search")) get("search").value = state.q;
  const narrowed = state.filters.size || state.q || state.case !== null || state.pair !== null;
  get("clear").hidden = !narrowed;
  get("clear").textContent = state.case !== null ? `Clear filters (case ${state.case})` : state.pair !== null ? `Clear filters (pair ${state.pair})` : "Clear all filters";
}

async function showOpen() {
  const key = state.item === null ? null : `${state.item}\n${state.with}`;
  if (opened === key) return;
  opened = key;
  root.dataset.panel = "loading";
  for (const old of document.querySelectorAll(".item.open")) close(old);
  const row = [...get("items").children].find((element) => element.dataset.item === state.item);
  if (row) {
    row.classList.add("open");
    row.querySelector(".open-item").setAttribute("aria-expanded", "true");
    const content = await panel(items[indexOfId.get(state.item)], state.with).catch((error) => make("p", { class: "trouble" }, error.message));
    if (opened !== key) return; // another was opened meanwhile
    row.append(content);
    const box = row.getBoundingClientRect();
    if (box.top < 0 || box.top > window.innerHeight * 0.6) row.scrollIntoView({ block: "start" });
  }
  root.dataset.panel = row ? "open" : "none";
}

function close(row) {
  row.classList.remove("open");
  row.querySelector(".open-item").setAttribute("aria-expanded", "false");
  row.querySelector(".panel, .row ~ .trouble")?.remove();
}
