import { useEffect, useRef } from "preact/hooks";

type Keys = Readonly<Record<string, () => void>>;

/** What a key does while nothing is typed into a field. `g t` is one after the other. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    let first = "";
    let forget: ReturnType<typeof setTimeout> | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
      const both = first === "" ? event.key : `${first} ${event.key}`;
      const act = latest.current[both] ?? latest.current[event.key];
      clearTimeout(forget);
      first = "";
      if (act !== undefined) {
        event.preventDefault();
        act();
      } else if (event.key === "g") {
        first = event.key;
        forget = setTimeout(() => {
          first = "";
        }, 1200);
      }
    };
    addEventListener("keydown", onKey);
    return () => {
      clearTimeout(forget);
      removeEventListener("keydown", onKey);
    };
  }, []);
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest("input:not([type=checkbox]), textarea, select, dialog") !== null)
  );
}
