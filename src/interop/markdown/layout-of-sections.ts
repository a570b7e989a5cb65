import { basename } from "node:path";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { unique } from "../../text/unique.js";
import type { Layout, ReadOptions } from "../layout.js";

/** A part of a file that can be imported alone. */
export interface FileSection {
  name: string;
  /** Relative to the folder that is imported. */
  file: string;
  records: ForeignRecord[];
  /** Taken only if it is asked for by name. */
  isOptional?: boolean | undefined;
}

export type SectionReader = (path: string, options: ReadOptions) => Iterable<FileSection>;

/** A layout of which parts can be picked, by the names of sections or of files. */
export function layoutOfSections({
  name,
  find,
  sections,
}: Pick<Layout, "name" | "find"> & { sections: SectionReader }): Layout {
  return {
    name,
    find,
    *read(path, options) {
      const { only, onSkipped } = options;
      const unknown = new Set(only);
      const names: string[] = [];
      for (const section of sections(path, options)) {
        const asked = only.filter((word) => isNamed(section, word));
        for (const word of asked) unknown.delete(word);
        if (section.records.length > 0) names.push(section.name);
        const isTaken = only.length === 0 ? !section.isOptional : asked.length > 0;
        if (isTaken) yield { file: section.file, records: section.records } satisfies ForeignFile;
      }
      for (const word of unknown) onSkipped(`no section ${word}; there are: ${unique(names).join(", ")}`);
    },
    sections: (path, options) =>
      [...sections(path, { ...options, only: [], onSkipped: () => undefined })].flatMap(
        ({ name: title, file, records, isOptional = false }) =>
          records.length === 0 ? [] : [{ name: title, file, isOptional }],
      ),
  };
}

function isNamed({ name, file }: FileSection, word: string): boolean {
  const [plain, short] = [slugOf(word), slugOf(basename(file).replace(/\.\w+$/, ""))];
  const names = [name, file, basename(file), `${file} ${name}`].map(slugOf);
  return [...names, short].includes(plain);
}

/** The words of a name, so that nobody has to copy its signs. */
export function slugOf(name: string): string {
  return (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join("-");
}
