import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type IngestInput, ingestTranscripts } from "../../../memory/ingest/ingest-transcripts.js";
import { projectOf } from "../../../memory/project-of.js";
import { suggest } from "../../../text/nearest.js";
import { type TranscriptAgent, transcriptAgents } from "../../../transcripts/session.js";
import { defineCommand, wrongUse } from "../../framework/command.js";
import { dryRunOption, flag, sinceOf, sinceOption } from "../../framework/options.js";
import { showIngesting } from "../../output/terminal/progress.js";
import { renderJson } from "../../output/terminal/style.js";
import { printIngested } from "./print-ingested.js";

export const ingestCommand = defineCommand({
  summary: "learn from past sessions of Claude Code, Codex, Gemini CLI and opencode",
  description:
    "Records each session as a task with its actions, failures and what resolved them, and draws learnings from it, which\n" +
    "wait for a review. By default it takes all sessions in this project that the agents keep in their own folders; of a\n" +
    "given file or folder, all sessions. What is recorded already is not recorded again; a session that went on since is\n" +
    "another attempt of its task. Sessions that were added to in the last 10 minutes, or in the last day if they end in half\n" +
    "a line, may still be going on, and are left for a later run; of a given path, what their messages say counts, not when\n" +
    "the file was copied.",
  arguments: [
    {
      name: "agent",
      summary: transcriptAgents.join(", "),
      isOptional: true,
      suggestions: transcriptAgents,
    },
    { name: "path", summary: "transcript or folder of transcripts", isOptional: true },
  ],
  options: {
    since: sinceOption("only sessions that went on since then"),
    promote: flag("promote what passes validation right away"),
    "dry-run": dryRunOption,
  },
  examples: [
    "ralph ingest --dry-run",
    "ralph ingest claude --since 30d",
    "ralph ingest codex ~/backup/sessions --promote",
  ],
  async run({ arguments: [first, second], options, format, terminal, openMemory }) {
    const since = sinceOf(options);
    const source = readSource(first, second);
    const dryRun = options["dry-run"];
    const memory = await openMemory();
    const session = projectOf(memory);
    const isOff = (await session.settings())["learnings.promotion"] === "off";
    const report = await ingestTranscripts(session, {
      ...{ ...source, since, dryRun, onProgress: showIngesting(terminal) },
      promotion: options.promote ? "auto" : isOff ? "off" : "review",
    });
    if (format === "json") terminal.out(renderJson(report));
    else
      printIngested(
        report,
        { dryRun, isPromoted: options.promote, isNamed: source.path !== undefined },
        terminal,
      );
  },
});

/** No agent has such a name: if nothing is there, that is what is wrong. */
const looksLikePath = /^[.~]|[\\/]/;

/** The agent may be left out, with a path too. */
function readSource(first?: string, second?: string): Pick<IngestInput, "agents" | "path"> {
  if (first === undefined) return { agents: transcriptAgents };
  const path = second === undefined ? undefined : resolve(second);
  if (isAgent(first)) return { agents: [first], path };
  if (second === undefined && (existsSync(first) || looksLikePath.test(first)))
    return { agents: transcriptAgents, path: resolve(first) };
  throw wrongUse(`Unknown agent: ${first}`, suggest(first, transcriptAgents));
}

function isAgent(word: string): word is TranscriptAgent {
  return (transcriptAgents as readonly string[]).includes(word);
}
