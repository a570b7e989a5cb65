import {
  type NoteOrigin,
  noteEmoji,
  noteTypes,
  type StoredNote,
  sectionNames,
} from "../../domain/knowledge/note.js";
import { renderNote } from "../../notes/render.js";
import { withoutControls } from "../../text/control-characters.js";
import { oneLine } from "./terminal/style.js";
import { renderTable } from "./terminal/table.js";
import type { Terminal } from "./terminal/terminal.js";
import { shownDay } from "./times.js";

/** A note with the field names of the notes format; the origin is added when it is not the memory asked for. */
export function noteJson(note: StoredNote, asked: NoteOrigin) {
  const { id, type, content, tags, created, origin } = note;
  return { id, memory_type: type, content, tags, created, ...(origin !== asked && { origin }) };
}

export function noteTable(notes: readonly StoredNote[], asked: NoteOrigin, terminal: Terminal): string {
  const rows = notes.map((note) => [
    note.id,
    `${noteEmoji[note.type]} ${note.type}`,
    shownDay(note.created, terminal),
    [note.tags.join(", "), note.origin === asked ? "" : `(${note.origin})`].filter(Boolean).join(" "),
    note.content,
  ]);
  return renderTable(
    ["ID", { title: "TYPE" }, { title: "CREATED", drop: 2 }, { title: "TAGS", drop: 1 }, "CONTENT"],
    rows,
    terminal,
  );
}

/** A notes file of these notes. A note's type follows from its section. */
export function noteSections(notes: readonly StoredNote[]): string {
  const sections = noteTypes.flatMap((type) => {
    const blocks = notes.filter((note) => note.type === type).map((note) => `\n${renderNote(note)}`);
    return blocks.length === 0 ? [] : [`\n## ${sectionNames[type]}\n${blocks.join("")}`];
  });
  return sections.length === 0 ? "" : `# Memories\n${sections.join("")}`;
}

export function noteFacts(note: StoredNote, asked: NoteOrigin): string {
  const facts = [
    ["ID", note.id],
    ["Type", `${noteEmoji[note.type]} ${note.type}`],
    ["Tags", note.tags.join(", ")],
    ["Created", note.created],
    ...(note.origin === asked ? [] : [["Origin", note.origin]]),
  ];
  const lines = facts.map(([name = "", value = ""]) => `${`${name}:`.padEnd(9)}${oneLine(value)}`.trimEnd());
  return `${lines.join("\n")}\n\n${withoutControls(note.content)}\n`;
}
