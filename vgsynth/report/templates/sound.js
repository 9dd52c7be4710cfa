// One audio element for the whole page, made when something is first played: two items never sound at once.
let audio = null;
let playing = null; // the item whose sound is loaded
let ownAddress = null;
const places = new Map(); // item index -> where playing it will go on, in seconds
const listeners = new Set();

function listen(element, callback) {
  listeners.add({ element, callback });
}

function announce() {
  for (const listener of listeners) {
    if (listener.element.isConnected) listener.callback();
    else listeners.delete(listener);
  }
}

const isPlaying = (item) => playing === item && audio !== null && !audio.paused;
const placeOf = (item) => (playing === item && audio.readyState > 0 ? audio.currentTime : (places.get(item.index) ?? 0));

function prepareAudio() {
  audio = new Audio();
  for (const name of ["play", "pause", "seeked"]) audio.addEventListener(name, announce);
  audio.addEventListener("ended", () => {
    places.delete(playing.index);
    audio.currentTime = 0;
    announce();
  });
  audio.addEventListener("play", function follow() {
    announce();
    if (!audio.paused) requestAnimationFrame(follow);
  });
}

async function play(item, from = placeOf(item)) {
  if (!item.rate) return;
  const detail = await detailOf(item);
  if (audio === null) prepareAudio();
  if (playing !== item) {
    audio.pause();
    if (playing) places.set(playing.index, audio.currentTime);
    if (ownAddress) URL.revokeObjectURL(ownAddress);
    ownAddress = detail.wav ? URL.createObjectURL(new Blob([bytesOf(detail.wav)], { type: "audio/wav" })) : null;
    audio.src = ownAddress ?? detail.url;
    playing = item;
  }
  audio.currentTime = Math.min(from, item.seconds);
  try {
    await audio.play();
  } catch (error) {
    // Another click came in between, or the browser wants a click first: neither is a fault.
    if (error.name === "AbortError" || error.name === "NotAllowedError") return;
    fail(`cannot play ${detail.url ?? item.id}: ${error.message}`);
  }
}

function pause() {
  audio?.pause();
}

const toggle = (item) => (isPlaying(item) ? pause() : play(item));

function seek(item, seconds) {
  const to = Math.min(Math.max(0, seconds), item.seconds);
  places.set(item.index, to);
  if (playing === item) audio.currentTime = to;
  announce();
}

function playButton(item, label) {
  const button = make("button", { type: "button", class: item.rate ? "play" : "play still", "data-plays": item.index, disabled: !item.rate, onclick: () => toggle(item) });
  const update = () => {
    button.classList.toggle("on", isPlaying(item));
    button.setAttribute("aria-label", `${isPlaying(item) ? "Pause" : "Play"} ${label}`);
    button.title = button.getAttribute("aria-label");
  };
  update();
  listen(button, update);
  return button;
}
