import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Learning } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import { withFileErrors } from "../../files/file-problem.js";
import { makeFolder } from "../../files/make-folder.js";
import { replaceFile } from "../../files/writing/replace-file.js";
import type { Repositories } from "../../store/store.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { checksumOf, isIntact } from "../records/checksum.js";
import { learningProblem } from "../records/learning-problem.js";
import { addLearning, removeAllLearnings } from "../records/write-learning.js";

interface Backup {
  checksum: string;
  learnings: Learning[];
}

const keptAutomatic = 5;
const automaticPrefix = "learnings-auto-";

/** Writes every learning to a file of its own, as it is. Automatic ones are few, the others stay. */
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
        hint: '"ralph learnings restore" goes back to the newest good backup',
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

/** Puts the records aside as they are, whether they are good or not; what is in there is never restored by itself. */
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
export function listLearningBackups(directory: string): string[] {
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

/** The learnings of a backup; of the newest good one when none is named. */
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
        hint: "its checksum does not match, or it is no backup; nothing was changed",
      });
  }
  throw new RalphError("not-found", "There is no good backup of learnings", {
    hint: '"ralph learnings backup" makes one',
  });
}

function readGood(path: string): Learning[] | undefined {
  try {
    const { checksum, learnings } = JSON.parse(readFileSync(path, "utf8")) as Partial<Backup>;
    if (!Array.isArray(learnings) || checksum !== checksumOf(learnings)) return undefined;
    const isValid = learnings.every((learning) => learningProblem(learning) === undefined);
    return isValid ? learnings.map(redactDeep) : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the store hold just these learnings. */
export async function replaceLearnings(tx: Repositories, learnings: readonly Learning[]): Promise<void> {
  await removeAllLearnings(tx);
  for (const learning of learnings) await addLearning(tx, learning);
}
