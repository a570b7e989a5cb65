import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

type Call = "renameSync" | "linkSync";

/** Does something right before or behind a system call on a path, once: the exact moment at which somebody else acts. */
export function atCall(
  moment: "before" | "behind",
  name: Call,
  isMeant: (from: string, to: string) => boolean,
  act: () => void,
): void {
  const original = fs[name];
  let isDone = false;
  const restore = () => {
    fs[name] = original;
    syncBuiltinESMExports();
  };
  const call = (from: fs.PathLike, to: fs.PathLike) => {
    const isNow = !isDone && isMeant(String(from), String(to));
    if (!isNow) return original(from, to);
    isDone = true;
    if (moment === "before") act();
    original(from, to);
    if (moment === "behind") act();
  };
  fs[name] = call;
  syncBuiltinESMExports();
  onTestFinished(restore);
}
