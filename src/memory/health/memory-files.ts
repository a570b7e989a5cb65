import { statSync } from "node:fs";
import { sqlitePath } from "../../store/sqlite/open-sqlite-store.js";
import type { OpenProject } from "../project/open-project.js";
import { filesOf } from "../project/place.js";

export interface MemoryFile {
  what: "notes" | "database" | "write-ahead log" | "settings";
  path: string;
  /** Undefined if there is none. */
  bytes: number | undefined;
}

/** The files that a memory consists of, whether or not they exist yet. */
export async function listMemoryFiles(project: OpenProject): Promise<MemoryFile[]> {
  const place = await project.place();
  const database = sqlitePath(place.storeDirectory);
  const listed: Omit<MemoryFile, "bytes">[] = [
    ...filesOf(place).map(({ path }) => ({ what: "notes" as const, path })),
    { what: "database", path: database },
    { what: "write-ahead log", path: `${database}-wal` },
    ...project.settingsFiles().map((path) => ({ what: "settings" as const, path })),
  ];
  return listed.map((file) => ({ ...file, bytes: statSync(file.path, { throwIfNoEntry: false })?.size }));
}
