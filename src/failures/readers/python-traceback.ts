import type { Groups } from "../failure-reader.js";
import { findPythonPlace } from "../stack-places.js";

const chained = /^(?:The above exception was the direct cause|During handling of the above exception)/;

/** The last exception of a chain is the one that stopped the program. */
export function lastOfChain(body: readonly string[]): readonly string[] {
  return body.slice(body.findLastIndex((line) => chained.test(line)) + 1);
}

/** What was raised before, where the last exception was raised because of it. */
export function causeInChain(body: readonly string[]): readonly string[] {
  const at = body.findLastIndex((line) => chained.test(line));
  return body[at]?.startsWith("The above") ? body.slice(0, at) : [];
}

/** The exception at the end of a traceback, and the project's line that raised it. */
export function readTraceback(body: readonly string[]): Groups | undefined {
  const last = lastOfChain(body);
  const frame = last.findLastIndex((line) => /^\s*File "/.test(line));
  const raised = last.slice(frame + 1).find((line) => /^[A-Za-z_][\w.]*(?::|$)/.test(line));
  if (raised === undefined) return undefined;
  const [, code, message] = /^(?:[\w.]*\.)?(\w+)(?:: (.*))?$/.exec(raised) ?? [];
  return { code, message: message ?? raised, ...findPythonPlace(last) };
}
