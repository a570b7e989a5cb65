import type { ErrorCode } from "../../domain/ralph-error.js";

const wrongUse = 2;
const failed = 1;

/** How a process ends for each kind of error: 2 when it was called wrongly, 1 when it could not do its work. */
export const exitStatus: Record<ErrorCode, number> = {
  "wrong-use": wrongUse,
  "invalid-settings": wrongUse,
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
  "embedder-failed": failed,
  "missing-package": failed,
  "program-unusable": failed,
};
