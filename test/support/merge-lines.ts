import { joinUnits, linesAsUnits, rawLinesOf } from "../../src/text/merge/lines-as-units.js";
import { weaveUnits } from "../../src/text/merge/weave-units.js";

/** Brings the lines that `theirs` changed since `base` into `ours`. */
export async function mergeLines(base: Buffer | undefined, theirs: Buffer, ours: Buffer): Promise<Buffer> {
  const units = (bytes: Buffer) => linesAsUnits(rawLinesOf(bytes.toString("latin1")));
  const merged = weaveUnits(base && units(base), units(theirs), units(ours));
  return Buffer.from(joinUnits(merged), "latin1");
}
