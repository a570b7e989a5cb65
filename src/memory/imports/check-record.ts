import { checkSkillName } from "../../domain/knowledge/skill.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import { parseSkillFile } from "../../procedural/skill-file.js";
import { learningProblem } from "../../semantic/records/learning-problem.js";
import { parseHandoff } from "../../working/handoff.js";
import { parseLedger } from "../../working/ledger.js";
import type { CheckedNote } from "../notes/note-input.js";
import { checkNewNote } from "../notes/note-input.js";
import type { ForeignNote, ForeignRecord } from "./foreign-record.js";
import { withNumber } from "./import-records.js";

/** Throws if a record cannot be imported; the message names its file and line. */
export async function checkRecord(record: ForeignRecord, file: string): Promise<void> {
  try {
    await checkContent(record);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const place = record.line === undefined ? file : `${file}, line ${record.line}`;
    throw new RalphError(
      "file-unusable",
      `${place}: ${record.kind} ${record.id} is invalid: ${error.message}`,
      {
        hint: "fix it and import again; nothing was imported",
        cause: error,
      },
    );
  }
}

async function checkContent({ kind, record }: ForeignRecord): Promise<void> {
  if (kind === "learning") refuse(learningProblem(record));
  else if (kind === "staged") refuse(isObject(record.learning) ? undefined : "it has no learning");
  else if (kind === "note") checkForeignNote(record);
  else if (kind === "ledger") parseLedger(record);
  else if (kind === "handoff") parseHandoff(withNumber(record));
  else if (kind === "skill") {
    checkSkillName(record.name);
    await parseSkillFile(record.text);
  }
}

/** Normalises the tags to what notes may have. */
export function checkForeignNote({ type, content, tags }: ForeignNote): CheckedNote {
  return checkNewNote({ type, content, tags: tags.map(usableTag) });
}

function usableTag(tag: string): string {
  return tag
    .replace(/[|,<>\r\n\0]+|-{2,}/g, "-")
    .trim()
    .slice(0, 64);
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new RalphError("file-unusable", problem);
}
