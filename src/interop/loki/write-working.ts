import { recordDigest } from "../../domain/record-digest.js";
import { isObject } from "../../domain/shape.js";
import { fingerprint } from "../../text/fingerprint.js";
import { type ExportSource, renderBack } from "../export-source.js";
import type { FileMap } from "../file-map.js";
import type { WrittenCounts } from "../layout.js";
import type { TargetFolder } from "../target-folder.js";
import { folders, style } from "./places.js";
import { isPublished } from "./read-working.js";

/** Ledgers, handoffs and skills, each in a file of its own. */
export async function writeWorking(source: ExportSource, target: TargetFolder): Promise<WrittenCounts> {
  return {
    ledger: await writeLedgers(source, target),
    handoff: await writeHandoffs(source, target),
    skill: await writeSkills(source, target),
  };
}

async function writeLedgers(source: ExportSource, target: TargetFolder): Promise<number> {
  const ledgers = await source.memory.working.listLedgers();
  for (const { stale: _stale, ...ledger } of ledgers) {
    const row = source.originalOf("ledger", ledger.agent_id);
    const path = row?.file ?? `${folders.ledgers}/${safeName(ledger.agent_id)}.json`;
    if (typeof row?.original === "string") target.text(path, row.original);
    else target.json(path, renderBack(row, ledger, { read: (original) => original, render: plain }), style);
  }
  return ledgers.length;
}

async function writeHandoffs(source: ExportSource, target: TargetFolder): Promise<number> {
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

async function writeSkills(source: ExportSource, target: TargetFolder): Promise<number> {
  const skills = (await source.memory.skills.list()).filter(({ origin }) => origin !== "user");
  for (const { name } of skills) {
    const row = source.originalOf("skill", name);
    const { text } = await source.memory.skills.get(name);
    const isSame = row?.digest === fingerprint(text);
    const files = row === undefined ? {} : (row.original as FileMap);
    const markdown = `${folders.skills}/${row?.foreignId ?? name}.md`;
    const now: FileMap = row !== undefined && isSame ? files : { ...files, [markdown]: text };
    for (const [path, value] of Object.entries(now))
      if (path.endsWith(".md")) target.text(path, String(value));
      else target.json(path, value, style);
  }
  return skills.length;
}

function safeName(agent: string): string {
  const plain = agent.replace(/[^\w.-]+/g, "-").replace(/^\.+/, "");
  return plain === agent ? plain : `${plain}-${recordDigest("agent", agent).slice(0, 8)}`;
}

function plain(value: unknown): unknown {
  return value;
}
