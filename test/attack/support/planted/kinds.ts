import {
  chmodSync,
  closeSync,
  ftruncateSync,
  lchownSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Lane } from "./lanes.js";

export interface PlantedKind {
  name: string;
  plant(path: string, lane: Lane): void;
}

const hugeBytes = 2 * 1024 * 1024 * 1024;

/** Everything that a repository, an archive or another program can put under a name. */
export const plantedKinds: readonly PlantedKind[] = [
  { name: "junk", plant: (path) => writeFileSync(path, "\x00\x01junk\n{[<- \xff\n") },
  { name: "empty file", plant: (path) => writeFileSync(path, "") },
  {
    name: "folder",
    plant(path) {
      mkdirSync(path);
      writeFileSync(join(path, "junk.json"), "junk");
    },
  },
  {
    name: "link to a file inside",
    plant: (path, lane) => symlinkSync(join(lane.project, "precious.txt"), path),
  },
  { name: "link to a file outside", plant: (path, lane) => symlinkSync(fileLike(path, lane), path) },
  {
    name: "link to a folder outside",
    plant: (path, lane) => symlinkSync(join(lane.outside, "folder"), path),
  },
  { name: "link to nothing", plant: (path, lane) => symlinkSync(join(lane.outside, "absent"), path) },
  { name: "link to itself", plant: (path) => symlinkSync(path, path) },
  { name: "pipe", plant: (path, lane) => linkSync(lane.pipe, path) },
  { name: "socket", plant: (path, lane) => linkSync(lane.socket, path) },
  { name: "device", plant: (path) => symlinkSync("/dev/zero", path) },
  {
    name: "unreadable",
    plant(path) {
      writeFileSync(path, "secret");
      chmodSync(path, 0);
    },
  },
  {
    name: "unreadable folder",
    plant(path) {
      mkdirSync(path);
      chmodSync(path, 0);
    },
  },
  {
    name: "2 GB",
    plant(path) {
      const file = openSync(path, "w");
      ftruncateSync(file, hugeBytes);
      closeSync(file);
    },
  },
];

/** Puts a thing under a name of the project, in place of what is there. */
export function plant(kind: PlantedKind, name: string, lane: Lane): void {
  const path = join(lane.project, name);
  rmSync(path, { recursive: true, force: true });
  makeParents(dirname(path), lane);
  kind.plant(path, lane);
  if (lane.uid !== undefined) lchownSync(path, lane.uid, lane.uid);
}

function makeParents(folder: string, lane: Lane): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined || lane.uid === undefined) return;
  for (let made = folder; made.startsWith(first); made = dirname(made)) lchownSync(made, lane.uid, lane.uid);
}

/** The file outside that whoever reads this name would take for one of ours. */
function fileLike(name: string, { outside }: Lane): string {
  if (name.includes(".db")) return join(outside, "folder", "memory.db");
  if (name.endsWith(".json") || name.endsWith(".jsonl")) return join(outside, "session.json");
  if (name.endsWith(".md")) return join(outside, "folder", "memories.md");
  if (name.endsWith(".yml")) return join(outside, "folder", "ralph.yml");
  return join(outside, ".bashrc");
}
