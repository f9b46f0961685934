// How a message reaches its desk: through the desk's own address on the server, which saves without
// rerunning the page, or else through Streamlit, as the component's state.

import { ownAddress } from "./dom.js";

const PATIENCE = 10_000; // ms until Streamlit's way is tried
const OUTLIVES = 60_000; // characters that a browser still sends while its page is closed
let newest = null; // what the server told last, by whichever way
let hearing = () => {}; // the surface that is on the page

/** The newer of Streamlit's data and the desk address's answer: Streamlit may lag behind. */
export function latest(data) {
  const { way } = data;
  if (way && newest?.way.address === way.address && newest.way.number > way.number) return newest;
  if (way) newest = data;
  return data;
}

/**
 * Sends messages; `hear(data)` is given what to show next. `waits(message)`: it has no answer yet.
 * An answered message is never sent again, because it would be applied after the one that followed it.
 */
export function posting(data, setStateValue, hear, waits) {
  const byStreamlit = (message) => setStateValue("out", message);
  hearing = hear;
  const { way } = data;
  if (!way) return byStreamlit;
  return (message) => {
    const body = JSON.stringify(message);
    fetch(ownAddress(`medlens/desk/${way.address}`), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
      keepalive: body.length < OUTLIVES,
      signal: AbortSignal.timeout(PATIENCE),
    }).then((response) => (response.ok ? response.json() : Promise.reject(new Error(response.statusText)))).then(
      (told) => {
        if (told.item !== undefined) hearing(latest(told));
        if (told.over) setStateValue("out", { run: told.way.number });
      },
      () => waits(message) && byStreamlit(message),
    );
  };
}
