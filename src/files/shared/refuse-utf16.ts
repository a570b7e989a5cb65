import { RalphError } from "../../domain/ralph-error.js";

/** UTF-8 text would be unreadable in a UTF-16 file. */
export function refuseUtf16(bytes: Buffer, path: string): void {
  const mark = bytes.toString("latin1", 0, 2);
  if (mark !== "\u00ff\u00fe" && mark !== "\u00fe\u00ff") return;
  throw new RalphError("file-unusable", `${path} is UTF-16 text`, { hint: "save it as UTF-8" });
}
