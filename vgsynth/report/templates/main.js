buildFacets();
// On a small screen the items come first.
if (matchMedia("(max-width: 900px)").matches) for (const box of [get("filters"), get("counts")]) box.open = false;

let typing = 0;
get("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => refine({ q: get("search").value }, { replace: true }), 150);
});
get("clear").addEventListener("click", () => {
  get("search").value = "";
  refine({ filters: new Map(), q: "", pair: null, case: null });
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address holds the filters
  get("items").focus();
});
window.addEventListener("hashchange", () => {
  state = readAddress();
  render();
});
for (const link of document.querySelectorAll(".counts a")) {
  link.addEventListener("click", () => requestAnimationFrame(() => get("items-title").scrollIntoView()));
}
render();
root.dataset.ready = "yes";
