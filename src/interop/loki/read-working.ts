import { basename } from "node:path";
import { isObject } from "../../domain/shape.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { RecordFields } from "../record-fields.js";
import type { SourceFolder } from "../source-folder.js";
import { folders } from "./places.js";

/** Where each agent stopped: in the published form, or in Markdown. */
export function* readLedgers(source: SourceFolder): Generator<ForeignFile> {
  for (const name of source.list(folders.ledgers)) {
    const file = `${folders.ledgers}/${name}`;
    if (name.endsWith(".json")) {
      const original = source.findJson(file);
      const id = new RecordFields(original, source.place(file)).text("agent_id");
      yield { file, records: [{ kind: "ledger", id, record: original, original }] };
    } else if (name.endsWith(".md")) {
      const original = source.findText(file) ?? "";
      const agent = agentName(basename(name, ".md").replace(/^LEDGER-/, ""));
      const record = ledgerOfText(original, agent, source.findModified(file));
      yield { file, records: [{ kind: "ledger", id: name, record, original }] };
    }
  }
}

function ledgerOfText(text: string, agent: string, modified: string | undefined): unknown {
  const lines = text.split("\n").map((line) => line.replace(/^[#>*\s-]+/, "").trim());
  return {
    agent_id: agent,
    last_checkpoint: modified ?? new Date(0).toISOString(),
    tasks_completed: 0,
    state: { files_modified: [], uncommitted_changes: false },
    context: { tech_stack: [], patterns_learned: [], current_goal: lines.find(Boolean) ?? agent },
    notes: text,
  };
}

/** What one agent passed on: in the published form, or as the state of a session that ended. */
export function* readHandoffs(source: SourceFolder): Generator<ForeignFile> {
  for (const name of source.list(folders.handoffs)) {
    if (!name.endsWith(".json")) continue;
    const file = `${folders.handoffs}/${name}`;
    const original = source.findJson(file);
    const records: ForeignRecord[] = [
      {
        ...{ kind: "handoff", id: basename(name, ".json"), original },
        record: isPublished(original) ? original : handoffOfState(original, source.place(file)),
      },
    ];
    yield { file, records };
  }
}

export function isPublished(handoff: unknown): boolean {
  return isObject(handoff) && handoff.from_agent !== undefined;
}

function handoffOfState(value: unknown, place: string): unknown {
  const fields = new RecordFields(value, place);
  const decisions = fields.findList("key_decisions").map(inWords);
  const done = [fields.findText("reason") ?? "", ...decisions].filter((text) => text !== "");
  return {
    from_agent: "loki",
    to_agent: "next",
    timestamp: fields.time("timestamp"),
    context: {
      what_was_done: done.join("\n") || "The session ended",
      artifacts: fields.findList("files_modified").map(inWords),
      git_state: fields.findList("recent_commits").map(inWords).join("\n"),
      needs_testing: fields.findList("open_questions").map(inWords),
      known_issues: fields.findList("blockers").map(inWords),
      relevant_patterns: [],
    },
  };
}

function inWords(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function agentName(text: string): string {
  return text.replace(/[^\w.-]+/g, "-").slice(0, 64) || "loki";
}
