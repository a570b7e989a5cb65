import { RalphError } from "../../domain/ralph-error.js";
import { stampFile } from "../file-stamp.js";
import { writeAtomically } from "./write-atomically.js";

/** Writes a file in one step, over the one that is there. */
export function replaceFile(path: string, text: string): void {
  const written = writeAtomically(path, [Buffer.from(text)], stampFile(path));
  if (written.kind === "changed-meanwhile") {
    throw new RalphError("file-unusable", `Somebody else is writing ${path}`, { hint: "try again" });
  }
  written.settle();
}
