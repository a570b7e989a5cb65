import { beforeEach } from "vitest";
import { reasonToSkip } from "./sqlite-only.js";

beforeEach(({ task, skip }) => {
  const reason = reasonToSkip(task.file.filepath, task.name);
  if (reason !== undefined) skip(reason);
});
