import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Random } from "../../support/seeded-random.js";

/** Where a project's database is. */
export function databaseOf(root: string): string {
  return join(root, ".ralph", "memory.db");
}

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

function rubbish(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

const pageBytes = 4096;

/** What may happen to a file that nobody has open. Each may lose records. */
export const damages: Record<string, (path: string, random: Random) => void> = {
  "pages of rubbish": (path, random) => {
    const pages = Math.floor(statSync(path).size / pageBytes);
    for (let left = 1 + random.below(3); left > 0 && pages > 0; left -= 1)
      overwrite(path, random.below(pages) * pageBytes, rubbish(random, pageBytes));
  },
  "pages of zeros": (path, random) => {
    const pages = Math.floor(statSync(path).size / pageBytes);
    if (pages > 0) overwrite(path, random.below(pages) * pageBytes, new Uint8Array(pageBytes));
  },
  "flipped bits": (path, random) => {
    const bytes = readFileSync(path);
    for (let left = 1 + random.below(8); left > 0; left -= 1) {
      const at = random.below(bytes.length);
      overwrite(path, at, Uint8Array.of((bytes[at] as number) ^ (1 << random.below(8))));
    }
  },
  "flipped bits in the head of a page": (path, random) => {
    const bytes = readFileSync(path);
    const at = random.below(Math.floor(bytes.length / pageBytes)) * pageBytes + random.below(60);
    overwrite(path, at, Uint8Array.of((bytes[at] as number) ^ (1 << random.below(8))));
  },
  "cut short": (path, random) => truncateSync(path, random.below(statSync(path).size)),
  "cut to nothing": (path) => truncateSync(path, 0),
  "replaced by rubbish": (path, random) => writeFileSync(path, rubbish(random, 20_000)),
  removed: (path) => rmSync(path),
};

/** What may happen while the database is in use; its process reports that its records are lost. */
export const replacements: Record<string, (path: string, random: Random) => void> = {
  "replaced by rubbish under the same name": (path, random) => {
    writeFileSync(`${path}.x`, rubbish(random, 20_000));
    renameSync(`${path}.x`, path);
  },
  "replaced by an older copy": (path) => {
    if (!existsSync(`${path}-older-copy`)) return;
    copyFileSync(`${path}-older-copy`, `${path}.x`);
    renameSync(`${path}.x`, path);
  },
};

/** What may happen while the database is in use, and loses nothing. */
export const disturbances: Record<string, (path: string, random: Random) => void> = {
  removed: (path) => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  },
  "its log removed": (path) => {
    for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
  },
};
