import type { OwnRecord } from "../building/own-records.js";

const longestTitle = 80;

/** The first line of what it says, which must not end a wiki link. */
export function titleOf({ id, statements }: OwnRecord): string {
  const [line = ""] = (statements[0] ?? "").split("\n");
  const plain = line.replace(/[[\]|#"]/g, "").trim();
  return `${plain.slice(0, longestTitle).trim() || "Untitled"} (${id})`;
}

/** A file as basic-memory has it. */
export function renderOwn(record: OwnRecord, relations: readonly string[]): string {
  const { id, kind, type, tags, created, statements } = record;
  const [first = "", ...more] = statements;
  const told =
    kind === "note"
      ? [first]
      : kind === "learning"
        ? [`- [${type}] ${oneLine(first)}`]
        : [
            `- [${type === "completed" ? "x" : " "}] ${oneLine(first)}`,
            ...more.map((text) => `- [outcome] ${oneLine(text)}`),
          ];
  return [
    "---",
    `title: ${JSON.stringify(titleOf(record))}`,
    `type: ${kind}`,
    `permalink: ralph/${id}`,
    ...(tags.length > 0 ? ["tags:", ...tags.map((tag) => `- ${JSON.stringify(tag)}`)] : []),
    `created: ${created}`,
    "---",
    "",
    ...told,
    ...(relations.length > 0 ? ["", "## Relations", ...relations] : []),
    "",
  ].join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
