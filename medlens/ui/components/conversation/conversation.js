// A conversation, or a list of dialogues with the open one, depending on the data.

import { Reader } from "./reader.js";
import { Talk } from "./talk.js";
import { watchTextLimits } from "../shared/text_limits.js";

const KINDS = { reader: Reader, talk: Talk };
const mounted = new WeakMap(); // mount point -> one of these; this is called at every change

export default function ({ data, parentElement, setStateValue }) {
  watchTextLimits();
  let shown = mounted.get(parentElement);
  if (!shown) {
    shown = new KINDS[data.kind](parentElement);
    mounted.set(parentElement, shown);
  }
  shown.update(data, (message) => setStateValue("out", message));
  // Streamlit calls only the last cleanup that it was given, once, when the component goes.
  return () => {
    shown.destroy();
    mounted.delete(parentElement);
  };
}
