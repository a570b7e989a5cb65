import { basename } from "node:path";
import { recordDigest } from "../../domain/record-digest.js";
import { isObject } from "../../domain/shape.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { type ExportSource, renderBack } from "../export-source.js";
import { RecordFields } from "../fields.js";
import type { SourceFolder } from "../source-folder.js";
import type { TargetFolder } from "../target-folder.js";
import { folders, style } from "./places.js";

/** Each agent's last state: in the published form, or in Markdown. */
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

/** Handoffs between agents: in the published form, or as the state of a finished session. */
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

function isPublished(handoff: unknown): boolean {
  return isObject(handoff) && handoff.from_agent !== undefined;
}

function handoffOfState(value: unknown, place: string): unknown {
  const fields = new RecordFields(value, place);
  const decisions = fields.list("key_decisions").map(inWords);
  const done = [fields.findText("reason") ?? "", ...decisions].filter((text) => text !== "");
  return {
    from_agent: "loki",
    to_agent: "next",
    timestamp: fields.time("timestamp"),
    context: {
      what_was_done: done.join("\n") || "The session ended",
      artifacts: fields.list("files_modified").map(inWords),
      git_state: fields.list("recent_commits").map(inWords).join("\n"),
      needs_testing: fields.list("open_questions").map(inWords),
      known_issues: fields.list("blockers").map(inWords),
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

export async function writeLedgers(source: ExportSource, target: TargetFolder): Promise<number> {
  const ledgers = await source.memory.working.listLedgers();
  for (const { stale: _stale, ...ledger } of ledgers) {
    const row = source.originalOf("ledger", ledger.agent_id);
    const path = row?.file ?? `${folders.ledgers}/${safeName(ledger.agent_id)}.json`;
    if (typeof row?.original === "string") target.text(path, row.original);
    else
      target.json(
        path,
        renderBack(row, ledger, { read: (original) => original, render: (each) => each }),
        style,
      );
  }
  return ledgers.length;
}

export async function writeHandoffs(source: ExportSource, target: TargetFolder): Promise<number> {
  const handoffs = await source.memory.working.listHandoffs();
  for (const handoff of handoffs) {
    const row = source.originalOf("handoff", handoff.id);
    const path = row?.file ?? `${folders.handoffs}/${handoff.id}.json`;
    const isState = row !== undefined && !isPublished(row.original);
    const id = isObject(row?.original) ? row.original.id : handoff.id;
    const written = isState
      ? row.original
      : renderBack(row, handoff, {
          read: (original) => ({ ...Object(original), id: handoff.id }),
          render: (each) => ({ ...each, id }),
        });
    target.json(path, written, style);
  }
  return handoffs.length;
}

function safeName(agent: string): string {
  const plain = agent.replace(/[^\w.-]+/g, "-").replace(/^\.+/, "");
  return plain === agent ? plain : `${plain}-${recordDigest("agent", agent).slice(0, 8)}`;
}
