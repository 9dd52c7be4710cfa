// Faults are shown, and recorded on the root element, where tests look.
const root = document.documentElement;
const faults = [];
root.dataset.errors = "[]";

function fail(message) {
  faults.push(String(message));
  root.dataset.errors = JSON.stringify(faults);
  const box = document.getElementById("trouble");
  box.hidden = false;
  box.textContent = `Something is wrong with this page: ${faults[faults.length - 1]}`;
}

window.addEventListener("error", (event) => fail(event.message));
window.addEventListener("unhandledrejection", (event) => fail(event.reason?.message ?? event.reason));
document.addEventListener("securitypolicyviolation", (event) => fail(`blocked: ${event.violatedDirective} ${event.blockedURI}`));

// An element. Text is only ever set as text: nothing of a row is read as HTML.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}
