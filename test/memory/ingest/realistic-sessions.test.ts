import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StagedLearning } from "../../../src/domain/knowledge/learning.js";
import { adviceOf } from "../../../src/domain/knowledge/statement.js";
import { ingestTranscripts } from "../../../src/memory/ingest/ingest-transcripts.js";
import { projectOf } from "../../../src/memory/project-of.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";
import { type RealisticSession, realisticSessions } from "../../support/realistic-sessions.js";
import { scratchFolder } from "../../support/scratch.js";
import { claudeRows, codexRows, type Exchange, writeTranscript } from "../../support/write-transcripts.js";

async function learnedFrom({ agent, exchanges }: RealisticSession): Promise<string[]> {
  const memory = await openScratchMemory();
  const { root } = memory.project;
  const moved = JSON.parse(JSON.stringify(exchanges).replaceAll("/project/", `${root}/`)) as Exchange[];
  const rows = (agent === "claude" ? claudeRows : codexRows)({ id: "s1", cwd: root }, moved);
  const path = writeTranscript(join(scratchFolder(), "s1.jsonl"), rows);
  const { staged } = await ingestTranscripts(projectOf(memory), {
    agents: [agent],
    path,
    promotion: "review",
  });
  await memory.close();
  return staged.map(({ learning }: StagedLearning) => adviceOf(learning));
}

describe("what is learned from a session with", () => {
  it.each(realisticSessions.map((session) => [session.name, session] as const))(
    "%s is what a careful reader would note, and nothing else",
    async (_name, session) => {
      const learned = await learnedFrom(session);
      if (process.env.SHOW) console.log(session.name, learned);
      const missed = session.truths.filter((truth) => !learned.some((line) => truth.test(line)));
      const wrong = learned.filter((line) => !session.truths.some((truth) => truth.test(line)));
      expect({ missed, wrong }).toEqual({ missed: [], wrong: [] });
    },
  );
});
