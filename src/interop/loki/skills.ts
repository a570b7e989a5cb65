import { isSkillName, maxSkillNameLength } from "../../domain/knowledge/skill.js";
import { sha256 } from "../../domain/sha256.js";
import type { ForeignFile } from "../../memory/imports/foreign-record.js";
import { fingerprint } from "../../text/fingerprint.js";
import { redact } from "../../text/secrets/redact.js";
import type { ExportSource } from "../export-source.js";
import { RecordFields } from "../fields.js";
import type { FileMap } from "../file-map.js";
import type { SourceFolder } from "../source-folder.js";
import type { TargetFolder } from "../target-folder.js";
import { folders, style } from "./places.js";

/** A skill is Markdown, JSON, or both with one name. */
export function* readSkills(source: SourceFolder): Generator<ForeignFile> {
  const names = new Map<string, string[]>();
  for (const file of source.list(folders.skills)) {
    const [, stem = "", ending] = /^(.+)\.(md|json)$/.exec(file) ?? [];
    if (ending !== undefined) names.set(stem, [...(names.get(stem) ?? []), file]);
  }
  for (const [stem, files] of names) {
    const original: FileMap = {};
    for (const file of files) {
      const path = `${folders.skills}/${file}`;
      original[path] = file.endsWith(".md") ? source.findText(path) : source.findJson(path);
    }
    const record = { name: skillName(stem), text: skillText(original, stem, source.place(folders.skills)) };
    yield {
      file: `${folders.skills}/${files[0]}`,
      records: [{ kind: "skill", id: stem, record, original }],
    };
  }
}

/** The naming of skill folders would make a secret unrecognisable, so it is redacted first. */
function skillName(stem: string): string {
  const words = redact(stem)
    .text.toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxSkillNameLength)
    .replace(/^-+|-+$/g, "");
  return isSkillName(words) ? words : `skill-${sha256(stem).slice(0, 8)}`;
}

/** The Markdown, or the JSON rendered in the published form. */
function skillText(files: FileMap, stem: string, place: string): string {
  const markdown = files[`${folders.skills}/${stem}.md`];
  if (typeof markdown === "string") return markdown;
  const fields = new RecordFields(files[`${folders.skills}/${stem}.json`], `${place}/${stem}.json`);
  const errors = fields.list("common_errors").map(fixLine);
  const parts = [
    `# Skill: ${fields.findText("name") || stem}`,
    fields.findText("description") ?? "",
    section("Prerequisites", fields.texts("prerequisites").map(bullet)),
    section(
      "Steps",
      fields.texts("steps").map((step, index) => `${index + 1}. ${step}`),
    ),
    section("Common Errors & Fixes", errors),
    section("Exit Criteria", fields.texts("exit_criteria").map(bullet)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `## ${title}\n${lines.join("\n")}`;
}

function bullet(text: string): string {
  return `- ${text}`;
}

/** A known error is a text, or a record with its fix. */
function fixLine(value: unknown): string {
  if (typeof value === "string") return bullet(value);
  const { error, message, fix, resolution } = Object(value) as Record<string, unknown>;
  const [problem, remedy] = [error ?? message ?? "", fix ?? resolution ?? ""].map(String);
  return bullet(remedy === "" ? (problem ?? "") : `${problem}: ${remedy}`);
}

/** Skills of the project only; those of the user belong to no project. */
export async function writeSkills(source: ExportSource, target: TargetFolder): Promise<number> {
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
