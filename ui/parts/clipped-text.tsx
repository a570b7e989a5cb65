import { useState } from "preact/hooks";
import type { ShownText } from "../../src/ui/views/shown-text.js";
import { get, type Problem, problemIn } from "../api.js";
import { count } from "../words.js";

/** So much is added with each step: a browser that gets megabytes at once stands still. */
const stepLength = 200_000;

/** A text that may be long: its beginning first, all of it on demand. */
export function ClippedText({ text, whole }: { text: ShownText; whole: string }) {
  const [all, setAll] = useState<string>();
  const [shownLength, setShownLength] = useState(stepLength);
  const [problem, setProblem] = useState<Problem>();
  const [isLoading, setLoading] = useState(false);
  const show = async () => {
    setLoading(true);
    try {
      setAll((await get<{ text: string }>(whole)).text);
    } catch (error) {
      setProblem(problemIn(error));
    }
    setLoading(false);
  };
  const shown = all === undefined ? text.text : all.slice(0, shownLength);
  const length = all?.length ?? text.length;
  return (
    <div>
      <pre class="text">{shown}</pre>
      {shown.length < length && (
        <p class="more">
          <span>
            The first {count(shown.length)} of {count(length)} characters.
          </span>
          {all === undefined ? (
            <button type="button" class="button" disabled={isLoading} onClick={show}>
              Show all
            </button>
          ) : (
            <button
              type="button"
              class="button"
              onClick={() => setShownLength((before) => before + stepLength)}
            >
              Show more
            </button>
          )}
          {problem && <span class="no">{problem.message}</span>}
        </p>
      )}
    </div>
  );
}
