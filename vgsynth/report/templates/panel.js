// An open item: it and what it is compared with, side by side, and what is to be said of them.
async function panel(item, chosen) {
  const members = companions(item, chosen);
  const details = await Promise.all(members.map(detailOf));
  const sounds = await Promise.all(members.map((member, at) => (member.rate ? analyse(member, details[at]) : null)));
  const peak = Math.max(0.01, ...sounds.map((sound) => (sound ? peakOf(sound) : 0)));
  const range = { seconds: Math.max(0.001, ...members.map((member) => member.seconds)), peak: roundUp(peak) };
  const letters = members.length > 1 ? members.map((_, at) => String.fromCharCode(65 + at)) : [""];
  const element = make("div", { class: "panel", "data-panel": item.id, "data-members": members.length });
  element.append(tools(item, members, chosen));
  element.append(make("div", { class: "members" }, ...members.map((member, at) => memberView(member, details[at], sounds[at], range, letters[at], members))));
  if (members.length > 1) element.append(comparison(details, letters));
  else element.append(make("div", { class: "columns" }, ...factTables(details[0])));
  details.forEach((detail, at) => element.append(rowDetails(detail, letters[at])));
  return element;
}

// Its pair, unless the address names another item to compare with, or none.
function companions(item, chosen) {
  if (chosen === "") return [item];
  const other = chosen === null ? undefined : items[indexOfId.get(chosen)];
  if (other && other !== item) return [item, other];
  return (item.pairId !== null && membersOfPair.get(item.pairId)) || [item];
}

function tools(item, members, chosen) {
  const siblings = itemsOfCase.get(item.caseId).filter((other) => other !== item);
  const paired = item.pairId !== null && membersOfPair.get(item.pairId).length > 1;
  const element = make("div", { class: "tools" });
  const heard = members.filter((member) => member.rate);
  if (heard.length > 1) {
    element.append(make("button", { type: "button", "data-swap": "", title: "Go on in the other at the same time (x)", onclick: () => swap(heard) }, "Switch A / B"));
  }
  if (siblings.length) {
    const choice = make("select", { onchange: (event) => go({ with: event.target.value === "\u0000pair" ? null : event.target.value }) });
    if (paired) choice.append(make("option", { value: "\u0000pair" }, "its pair"));
    choice.append(make("option", { value: "" }, "nothing"));
    for (const other of siblings) choice.append(make("option", { value: other.id }, other.id));
    choice.value = chosen ?? (paired ? "\u0000pair" : "");
    element.append(make("label", {}, "Compare with", choice));
    if (state.case !== item.caseId) {
      const words = `Show all ${siblings.length + 1} items of case ${item.caseId}`;
      element.append(make("a", { href: addressOf({ ...emptyState(), case: item.caseId, item: item.id }) }, make("bdi", {}, words)));
    }
  }
  return element;
}

function emptyState() {
  return { filters: new Map(), q: "", pair: null, case: null, page: null, item: null, with: null };
}

function memberView(item, detail, sound, range, letter, members) {
  const value = (label) => detail.facts.find(([group, name]) => group === "item" && name === label)?.[2];
  const facts = ["condition", "target", "source", "distance", "gap", "peak", "RMS"].map((label) => [label, value(label)]);
  const tags = facts.filter(([, words]) => words !== undefined).map(([label, words]) => make("span", { class: "tag" }, `${label} `, make("b", {}, make("bdi", {}, words))));
  const title = make("div", {}, make("div", { class: "id" }, letter ? make("span", { class: "letter" }, letter) : null, make("bdi", {}, item.id)), make("div", {}, ...tags));
  const said = make("ul", { class: "said" }, ...item.segments.map((segment) => make("li", { "--c": speakerColour(segment.speaker) },
    make("span", { class: "by" }, make("bdi", {}, `${segment.title} · ${head.speakers[segment.speaker]}`)), make("span", { dir: "auto" }, segment.text))));
  const others = () => members.filter((member) => member !== item && member.rate);
  return make("section", { class: "member", "data-member": item.id, "aria-label": `${letter} ${item.id}` },
    make("div", { class: "member-head" }, item.rate ? playButton(item, letter || item.id) : null, title), said,
    sound ? figure(item, sound, range, others) : make("p", { class: "hint" }, "A text item: there is no audio."));
}

function peakOf(sound) {
  if (!sound.samples) return sound.preview.peak;
  let peak = 0;
  for (const value of sound.samples) if (Math.abs(value) > peak) peak = Math.abs(value);
  return peak;
}

// A round number at or above a peak, for the axis.
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return Number(([1, 1.5, 2, 3, 4, 5, 6, 8].find((base) => base * power >= value) ?? 10) * power).toPrecision(2) * 1;
}

function factCell(words) {
  if (words === null) return make("td", { class: "absent" }, "–");
  return make("td", {}, make("span", { dir: "auto", class: words.length > 300 ? "long" : null }, words));
}

function factTables(detail) {
  const groups = new Map();
  for (const [group, label, words] of detail.facts) {
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(make("tr", {}, make("th", { scope: "row" }, label), factCell(words)));
  }
  return [...groups].map(([group, rows]) => make("table", { class: "facts" }, make("caption", {}, make("bdi", {}, group === "item" ? "Item" : `Segment: ${group}`)), make("tbody", {}, ...rows)));
}

// The facts of all members, aligned: those that differ, planned before measured, and those that do not.
function comparison(details, letters) {
  const lines = new Map();
  details.forEach((detail, at) => {
    for (const [group, label, words, measured] of detail.facts) {
      const key = JSON.stringify([group, label]);
      if (!lines.has(key)) lines.set(key, { group, label, measured, values: details.map(() => null) });
      lines.get(key).values[at] = words;
    }
  });
  const all = [...lines.values()];
  const same = (line) => line.values.every((value) => value === line.values[0]);
  const table = (rows, title, hint, kind) => make("table", { class: `facts ${kind}`, "data-facts": kind },
    make("caption", {}, title, make("span", { class: "hint" }, hint)),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Fact"), ...letters.map((letter) => make("th", { scope: "col" }, letter)))),
    make("tbody", {}, ...rows.map((line) => make("tr", { "data-fact": `${line.group}/${line.label}` },
      make("th", { scope: "row" }, line.group === "item" ? null : make("bdi", {}, `${line.group} · `), line.label), ...line.values.map(factCell)))));
  const planned = all.filter((line) => !same(line) && !line.measured);
  const measured = all.filter((line) => !same(line) && line.measured);
  const equal = all.filter(same);
  const element = make("div", { class: "more" });
  element.append(table(planned, `Planned to differ: ${planned.length}`, "", "differ"));
  if (measured.length) element.append(table(measured, `Differs as a result: ${measured.length}`, "measured on the audio, or follows from the plan", "differ"));
  element.append(make("details", {}, make("summary", {}, `The same in ${letters.join(" and ")}: ${equal.length} facts`), table(equal, "", "", "same")));
  return element;
}

function rowDetails(detail, letter) {
  const text = make("pre", { tabindex: "0" });
  const element = make("details", {}, make("summary", {}, `${letter ? `${letter}: ` : ""}hashes, versions, room configuration and the whole row`), text);
  element.addEventListener("toggle", () => {
    text.textContent ||= JSON.stringify(detail.row, null, 2);
  });
  return element;
}
