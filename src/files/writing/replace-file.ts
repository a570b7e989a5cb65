import { RalphError } from "../../domain/ralph-error.js";
import { stampFile } from "../file-stamp.js";
import { writeAtomically } from "./write-atomically.js";

/** Writes a file in one step, replacing the existing one. */
export function replaceFile(path: string, text: string): void {
  if (writeAtomically(path, [Buffer.from(text)], stampFile(path)) === "changed-meanwhile") {
    throw new RalphError("file-unusable", `Another process is writing to ${path}`, { hint: "try again" });
  }
}
