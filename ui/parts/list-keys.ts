import { useEffect, useState } from "preact/hooks";
import { useKeys } from "../keys.js";

/** `j` and `k` walk through the rows of a list by moving the focus, so that Enter opens what has it. */
export function useRowKeys(length: number): { here: number; setHere(index: number): void } {
  const [here, setHere] = useState(-1);
  const move = (by: number) => {
    if (length === 0) return;
    const next = Math.max(0, Math.min(length - 1, here === -1 ? 0 : here + by));
    setHere(next);
    const row = document.querySelector(`[data-row="${next}"]`);
    const target = row?.matches("[tabindex]") ? row : row?.querySelector("a, button");
    if (target instanceof HTMLElement) {
      target.focus();
      target.scrollIntoView({ block: "nearest" });
    }
  };
  useEffect(() => {
    if (here >= length) setHere(length - 1);
  }, [here, length]);
  useKeys({ j: () => move(1), k: () => move(-1) });
  return { here, setHere };
}
