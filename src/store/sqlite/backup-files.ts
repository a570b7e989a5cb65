import { join } from "node:path";
import { namesIn } from "../../files/names-in.js";

/** A backup, by what its name says. The generation orders backups, because the date is only what the clock said. */
export interface Backup {
  path: string;
  generation: number;
  date: string;
  /** A measure of content, see `measureContent`; unknown for the backups of earlier versions. */
  content: number | undefined;
}

const backupName = /^memory-(?:(\d{6,15})-)?([+-]?\d{4,6}-\d{2}-\d{2})(?:-(\d{1,15}))?\.db$/;

export function backupDirectory(directory: string): string {
  return join(directory, "backups");
}

export function fileNameOf(backup: Omit<Backup, "path">): string {
  return `memory-${String(backup.generation).padStart(6, "0")}-${backup.date}-${backup.content ?? 0}.db`;
}

/** Newest first. */
export function listBackups(directory: string): Backup[] {
  const folder = backupDirectory(directory);
  return namesIn(folder)
    .map((name) => parseName(folder, name))
    .filter((backup) => backup !== undefined)
    .sort((one, other) => other.generation - one.generation || (one.date < other.date ? 1 : -1));
}

function parseName(folder: string, name: string): Backup | undefined {
  const found = backupName.exec(name);
  if (found === null) return undefined;
  const [, generation, date, content] = found;
  return {
    path: join(folder, name),
    generation: Number(generation ?? 0),
    date: date ?? "",
    content: content === undefined ? undefined : Number(content),
  };
}
