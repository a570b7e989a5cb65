import type { ErrorCode } from "../../domain/ralph-error.js";

const wrongUse = 2;
const failed = 1;
/** What shells tell of a program that Ctrl-C ended. */
const interrupted = 130;

/** Exit code for each error: 2 for wrong usage, 1 for failures, 130 for Ctrl-C. */
export const exitStatus: Record<ErrorCode, number> = {
  "wrong-use": wrongUse,
  "invalid-settings": wrongUse,
  "not-trusted": wrongUse,
  "not-found": failed,
  ambiguous: wrongUse,
  "already-exists": failed,
  "merge-conflict": failed,
  "file-unusable": failed,
  "disk-full": failed,
  "store-busy": failed,
  "store-damaged": failed,
  "index-damaged": failed,
  "store-too-new": failed,
  "store-too-old": failed,
  "store-away": failed,
  "store-refused": failed,
  "embedder-failed": failed,
  "missing-package": failed,
  "program-unusable": failed,
  "taken-over": failed,
  interrupted,
};
