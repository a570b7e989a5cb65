import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Learning } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import { withFileErrors } from "../../files/file-problem.js";
import { makeFolder } from "../../files/make-folder.js";
import { maxGivenBytes, readRegularFile } from "../../files/read-regular-file.js";
import { replaceFile } from "../../files/replace-file.js";
import type { Repositories } from "../../store/store.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { checksumOf, findAltered, isIntact } from "../records/checksum.js";
import { learningProblem } from "../records/learning-problem.js";
import { addLearning, removeAllLearnings, replaceLearning } from "../records/write-learning.js";

interface Backup {
  checksum: string;
  learnings: Learning[];
}

const keptAutomatic = 5;
const automaticPrefix = "learnings-auto-";

/** Writes all learnings to a new backup file. Only the newest automatic backups are kept; others are never removed. */
export async function backUpLearnings(
  repositories: Repositories,
  directory: string,
  now: Date,
  { isAutomatic = false }: { isAutomatic?: boolean } = {},
): Promise<string> {
  const rows = await repositories.learnings.listRaw();
  const damaged = rows.find((row) => !isIntact(row));
  if (damaged !== undefined) {
    throw new RalphError(
      "store-damaged",
      `${damaged.id} does not match its checksum, so no backup was made`,
      {
        hint: '"ralph learnings restore" restores the newest good backup',
      },
    );
  }
  const learnings = rows.map(({ record }) => JSON.parse(record) as Learning);
  const prefix = isAutomatic ? automaticPrefix : "learnings-";
  const path = write<Backup>(directory, prefix, now, { checksum: checksumOf(learnings), learnings });
  for (const old of listLearningBackups(directory).filter(isAutomaticBackup).slice(keptAutomatic))
    rmSync(old, { force: true });
  return path;
}

/** Copies the raw records to a file, damaged or not; such a file is never restored automatically. */
export async function putAsideLearnings(
  repositories: Repositories,
  directory: string,
  now: Date,
): Promise<string> {
  return write(directory, "damaged-learnings-", now, await repositories.learnings.listRaw());
}

function write<Content>(directory: string, prefix: string, now: Date, content: Content): string {
  const path = join(directory, `${prefix}${now.toISOString().replace(/[:.]/g, "-")}.json`);
  makeFolder(directory);
  replaceFile(path, `${JSON.stringify(content, null, 1)}\n`);
  return path;
}

/** Newest first. */
function listLearningBackups(directory: string): string[] {
  const timeOf = (name: string) => name.replace(automaticPrefix, "learnings-");
  const names = withFileErrors(directory, () => {
    try {
      return readdirSync(directory);
    } catch {
      return [];
    }
  });
  return names
    .filter((name) => /^learnings-.*\.json$/.test(name))
    .sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
    .map((name) => join(directory, name));
}

function isAutomaticBackup(path: string): boolean {
  return path.includes(automaticPrefix);
}

/** The learnings of a backup; by default, of the newest good one. */
export function readLearningBackup(
  directory: string,
  path?: string,
): { path: string; learnings: Learning[] } {
  const candidates = path === undefined ? listLearningBackups(directory) : [path];
  for (const candidate of candidates) {
    const learnings = readGood(candidate);
    if (learnings !== undefined) return { path: candidate, learnings };
    if (path !== undefined)
      throw new RalphError("file-unusable", `${path} is not a good backup of learnings`, {
        hint: "it is not a backup, or its checksum does not match; nothing was changed",
      });
  }
  throw new RalphError("not-found", "No good backup of learnings found", {
    hint: '"ralph learnings backup" creates one',
  });
}

function readGood(path: string): Learning[] | undefined {
  try {
    const { checksum, learnings } = JSON.parse(
      readRegularFile(path, { maxBytes: maxGivenBytes }).toString("utf8"),
    ) as Partial<Backup>;
    if (!Array.isArray(learnings) || checksum !== checksumOf(learnings)) return undefined;
    const isValid = learnings.every((learning) => learningProblem(learning) === undefined);
    return isValid ? learnings.map(redactDeep) : undefined;
  } catch {
    return undefined;
  }
}

/** Takes altered learnings from the newest good backups that have them; returns the ids of the others, too. */
export async function restoreAltered(
  tx: Repositories,
  directory: string,
): Promise<{ restored: string[]; missing: string[] }> {
  const missing = new Set(await findAltered(tx));
  const restored: string[] = [];
  for (const path of listLearningBackups(directory)) {
    if (missing.size === 0) break;
    for (const learning of readGood(path) ?? []) {
      if (!missing.delete(learning.id)) continue;
      await replaceLearning(tx, learning);
      restored.push(learning.id);
    }
  }
  return { restored, missing: [...missing] };
}

/** Replaces all learnings in the store. */
export async function replaceLearnings(tx: Repositories, learnings: readonly Learning[]): Promise<void> {
  await removeAllLearnings(tx);
  for (const learning of learnings) await addLearning(tx, learning);
}
