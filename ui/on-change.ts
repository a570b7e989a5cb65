import { useEffect, useRef } from "preact/hooks";

/** Does something each time that a value is another one, not with the first. */
export function useOnChange(value: string | undefined, act: () => void): void {
  const before = useRef(value);
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    latest.current();
  }, [value]);
}
