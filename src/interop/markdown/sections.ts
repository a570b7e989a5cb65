export interface Section {
  /** Its heading and those above it. */
  headings: string[];
  /** Without its heading. */
  text: string;
  line: number;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/;

/** The parts of a Markdown text, each with its headings; deeper ones belong to the text above them. */
export function sectionsOf(text: string, { deepest = 2, firstLine = 1 } = {}): Section[] {
  const sections: Section[] = [{ headings: [], text: "", line: firstLine }];
  const levels: { level: number; title: string }[] = [];
  let lines: string[] = [];
  let open: string | undefined;
  const finish = () => {
    const last = sections.at(-1);
    if (last !== undefined) last.text = lines.join("\n").trim();
    lines = [];
  };
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined && open === undefined) open = mark;
    else if (mark !== undefined && open !== undefined && mark.startsWith(open)) open = undefined;
    const [, marks = "", title = ""] = (open === undefined && heading.exec(line)) || [];
    if (marks === "" || marks.length > deepest) {
      lines.push(line);
      continue;
    }
    finish();
    while ((levels.at(-1)?.level ?? 0) >= marks.length) levels.pop();
    levels.push({ level: marks.length, title });
    sections.push({ headings: levels.map((each) => each.title), text: "", line: firstLine + index });
  }
  finish();
  return sections.filter((section) => section.text !== "");
}

/** Items of lists that are not part of another item, with the lines that go on with them; and each paragraph between them. */
export function itemsOf(text: string): string[] {
  const items: string[] = [];
  let isItem = false;
  for (const line of text.split(/\r?\n/)) {
    const item = /^[-*+][ \t]+(.*)$/.exec(line)?.[1];
    if (item !== undefined) items.push(item);
    else if (line.trim() === "") isItem = false;
    else if (items.length > 0 && (isItem || /^\s/.test(line)))
      items.push(`${items.pop()}\n${line.trimEnd()}`);
    else items.push(line.trim());
    if (line.trim() !== "") isItem = true;
  }
  return items.map((item) => item.trim()).filter((item) => item !== "");
}
