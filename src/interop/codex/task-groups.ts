import type { LearningType } from "../../domain/knowledge/learning.js";
import type { ForeignRecord } from "../../memory/imports/foreign-record.js";
import { noteRecords } from "../building/note-records.js";
import { type FileSection, slugOf } from "../markdown/layout-of-sections.js";
import { itemsOf, type Section, sectionsOf } from "../markdown/sections.js";
import { contentOf, newLearning } from "../new-learning.js";
import type { SourceFolder } from "../source-folder.js";

/** A section with the folder that it is about, if it tells. */
export interface PlacedSection extends FileSection {
  cwd: string | undefined;
}

/** What was learned in tasks that belong together; the tasks themselves are told by their rollouts. */
export function taskGroups(source: SourceFolder, file: string): PlacedSection[] {
  const groups = new Map<string, Section[]>();
  for (const section of sectionsOf(source.findText(file) ?? "")) {
    const name = section.headings[0]?.replace(/^Task Group:\s*/i, "") ?? file;
    groups.set(name, [...(groups.get(name) ?? []), section]);
  }
  return [...groups].map(([name, sections]) => {
    const text = sections.map((each) => each.text).join("\n");
    const cwd = /^applies_to:.*?\bcwd=([^;\n]+)/m.exec(text)?.[1]?.trim();
    const about = { group: name, created: latestTime(text) };
    const records = sections.flatMap(({ headings: [, part = ""], text: told, line }) =>
      itemsOf(told).flatMap((item) => recordsOf(item, { ...about, part, line })),
    );
    return { name, file, cwd, records };
  });
}

/** Of the rollouts that a group lists; what is learned from them has no date of its own. */
function latestTime(text: string): string {
  const times = [...text.matchAll(/\bupdated_at=([^,)\s]+)/g)].flatMap(([, time = ""]) => {
    const ms = Date.parse(time);
    return Number.isNaN(ms) ? [] : [ms];
  });
  return new Date(times.length > 0 ? Math.max(...times) : Date.now()).toISOString();
}

interface Learned {
  group: string;
  created: string;
  part: string;
  line: number;
}

function recordsOf(item: string, { group, created, part, line }: Learned): ForeignRecord[] {
  const text = item.replace(/(?:\s*\[Task \d+\])+\s*$/, "");
  const id = `${group} ${slugOf(text).slice(0, 120)}`;
  if (/^user preferences/i.test(part))
    return noteRecords({ id, type: "pattern", text, tags: ["codex"], line, original: item });
  const learn = (type: LearningType, statement: string, prevention?: string): ForeignRecord => {
    const content = { ...contentOf(type, statement), ...(prevention !== undefined && { prevention }) };
    const record = newLearning({ layout: "codex", foreignId: id, type, content, createdAt: created });
    return { kind: "learning", id, line, original: item, record };
  };
  if (/^reusable knowledge/i.test(part)) return [learn("fact", text)];
  if (!/^failures/i.test(part)) return [];
  // Symptom, cause and remedy, with arrows between them.
  const steps = text.split(/\s*(?:->|→)\s*/);
  const isTold = steps.length > 1;
  return [
    learn("antipattern", isTold ? steps.slice(0, -1).join(": ") : text, isTold ? steps.at(-1) : undefined),
  ];
}
