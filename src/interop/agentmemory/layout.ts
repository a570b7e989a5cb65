import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Layout } from "../layout.js";
import { readExport, storeFiles } from "./read-export.js";

/** The memories of agentmemory: its file without a server, or what its server exports. */
export const agentmemoryLayout: Layout = {
  name: "agentmemory",
  find: ({ root, home, environment }) => {
    const folders = [
      ...[environment.AGENTMEMORY_DATA_DIR ?? "", join(home, ".agentmemory")],
      join(root, ".agentmemory"),
    ];
    const paths = folders.filter(Boolean).map((folder) => join(folder, storeFiles[0] ?? ""));
    return [...new Set(paths)].filter((path) => existsSync(path));
  },
  read: readExport,
};
