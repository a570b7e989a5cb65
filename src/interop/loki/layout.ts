import { join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import type { ForeignFile } from "../../memory/imports/foreign-record.js";
import type { Layout, ReadOptions } from "../layout.js";
import { openSource, type SourceFolder } from "../source-folder.js";
import { findEpisodes, isEpisodeFile, readEpisodes, writeEpisodes } from "./episodes.js";
import { readLearnings, writeLearnings } from "./learnings.js";
import { episodeIndex, folders, hasMemory, indexAuthor, semanticFiles, style } from "./places.js";
import { readSemantic, writeSemantic } from "./semantic.js";
import { readSkills, writeSkills } from "./skills.js";
import { readHandoffs, readLedgers, writeHandoffs, writeLedgers } from "./working.js";

/** The folder `.loki/memory`: episodes, patterns and facts, skills, ledgers, handoffs and learnings. */
export const lokiLayout: Layout = {
  name: "loki",
  find: ({ root }) => {
    const folder = join(root, ".loki", "memory");
    return hasMemory(folder) ? [folder] : [];
  },
  read,
  async write(source, target) {
    target.claim(...Object.values(semanticFiles), ...Object.values(folders));
    for (const { kind, foreignId, original } of source.rows)
      if (kind === "kept" && isKeptFile(foreignId)) {
        if (typeof original === "string") target.text(foreignId, original);
        else target.json(foreignId, original, style);
      }
    const task = await writeEpisodes(source, target);
    const semantic = await writeSemantic(source, target);
    await writeLearnings(source, target);
    const ledger = await writeLedgers(source, target);
    const handoff = await writeHandoffs(source, target);
    return { task, ...semantic, ledger, handoff, skill: await writeSkills(source, target) };
  },
};

function* read(path: string, { onSkipped }: ReadOptions): Generator<ForeignFile> {
  const folder = hasMemory(path) ? path : join(path, "memory");
  if (!hasMemory(folder))
    throw new RalphError("not-found", `No loki memory in ${path}`, {
      hint: `expected ${Object.values(folders).join(", ")} or semantic, as in .loki/memory`,
    });
  const source = openSource(folder);
  const episodes = findEpisodes(source);
  yield* readEpisodes(source, episodes);
  yield* readSemantic(source, episodes);
  yield* readSkills(source);
  yield* readLedgers(source);
  yield* readHandoffs(source);
  yield* readLearnings(source);
  yield* readOthers(source, onSkipped);
}

/** A larger file is not an index. */
const mostBytesKept = 1024 * 1024;

/** Indexes and other files have no counterpart here. */
function* readOthers(source: SourceFolder, onSkipped: ReadOptions["onSkipped"]): Generator<ForeignFile> {
  for (const file of source.walk("")) {
    if (!isKeptFile(file) || file.endsWith(".lock")) continue;
    if (source.size(file) > mostBytesKept || !/\.(?:json|md|txt)$/.test(file)) {
      onSkipped(`${file}: it is not a record`);
      continue;
    }
    const original = file.endsWith(".json") ? source.findJson(file) : source.findText(file);
    const isOurs = file === episodeIndex && isObject(original) && original.written_by === indexAuthor;
    if (!isOurs) yield { file, records: [{ kind: "kept", id: file, original }] };
  }
}

/** Whether a file is not read as records. */
function isKeptFile(path: string): boolean {
  const [folder = "", name = ""] = path.split("/");
  if (folder === folders.episodes) return !isEpisodeFile(path);
  if (folder === folders.skills || folder === folders.ledgers) return !/\.(?:md|json)$/.test(name);
  if (folder === folders.handoffs) return !name.endsWith(".json");
  if (folder === folders.learnings) return !/\.jsonl?(?: \d+)?$/.test(name);
  return !(Object.values(semanticFiles) as string[]).includes(path);
}
