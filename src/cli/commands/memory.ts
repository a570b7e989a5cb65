import { join } from "node:path";
import type { Environment } from "../../domain/environment.js";
import { type NoteType, noteTypes, type StoredNote } from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Memory } from "../../memory/memory.js";
import { renderNote } from "../../notes/render.js";
import { defineCommand, type Invocation, type OptionSpecs, wrongUse } from "../framework/command.js";
import {
  allOption,
  flag,
  globalOption,
  limitOption,
  list,
  number,
  ownerOf,
  sinceOf,
  sinceOption,
  text,
} from "../framework/options.js";
import { printList } from "../framework/print.js";
import { canPrompt } from "../input/ask.js";
import { readContent } from "../input/read-content.js";
import { noteFacts, noteJson, noteSections, noteTable } from "../output/notes.js";
import { printRedacted } from "../output/terminal/notices.js";
import type { Terminal } from "../output/terminal/terminal.js";

const idArgument = { name: "id", summary: "memory id, or a unique prefix of it" };
const typeOption = (summary: string) => text("TYPE", summary, { short: "t", values: noteTypes });
const tagsOption = (summary: string) => list("TAGS", summary, { aliases: ["tag"] });

/** Options that choose among notes. */
const filterOptions = {
  type: list("TYPES", "only memories of these types, comma-separated", { short: "t", values: noteTypes }),
  tags: tagsOption("only memories with one of these tags, comma-separated"),
  since: sinceOption("only memories since then"),
};

interface FilterValues {
  type: string[] | undefined;
  tags: string[] | undefined;
  since: string | undefined;
}

function filterOf({ type, tags, since }: FilterValues) {
  return { types: type as NoteType[] | undefined, tags, since: sinceOf({ since }) };
}

const add = defineCommand({
  summary: "store a new memory",
  description:
    'The memory is added to .agent/memories.md. Keep to one idea, with its reason: "chose X because Y".\n' +
    "Duplicates are not stored twice. API keys and other secrets are redacted.",
  arguments: [{ name: "content", summary: 'what to remember; "-" reads it from standard input' }],
  options: {
    type: typeOption("memory type [default: pattern]"),
    tags: tagsOption("tags, comma-separated"),
    global: globalOption,
  },
  formats: ["table", "json", "quiet"],
  examples: [
    'ralph memory add "uses barrel exports" --type pattern --tags imports,structure',
    'ralph memory add "chose Zod for validation" -t decision --tags validation',
    'ralph memory add "ECONNREFUSED means start docker" -t fix --tags docker',
    "git log -1 --format=%B | ralph memory add - -t context",
  ],
  async run({ arguments: [content = ""], options, format, terminal, print, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const { kind, note, redacted } = await memory.notes.add({
      content: readContent(content),
      ...(options.type && { type: options.type as NoteType }),
      ...(options.tags && { tags: options.tags }),
    });
    printRedacted(redacted, terminal);
    const isExisting = kind === "existing";
    print({
      json: { ...noteJson(note, ownerOf(options)), ...(isExisting && { existing: true }) },
      quiet: note.id,
      table: `📝 Memory ${isExisting ? "is already stored" : "stored"}: ${note.id}\n`,
    });
    if (format === "table" && !options.global) await showSharedFile(memory, terminal);
  },
});

/** In a worktree the file is elsewhere, unless each branch has its own notes. */
async function showSharedFile({ project, settings }: Memory, terminal: Terminal): Promise<void> {
  if (project.root === project.home) return;
  if ((await settings()).settings["memories.scope"] === "branch") return;
  const file = join(project.home, ".agent", "memories.md");
  terminal.talk(`Note: written to ${file}, which all worktrees share\n`);
}

const search = defineCommand({
  summary: "search memories",
  description:
    "Matches any of the words in content or tags, best match first. Identifiers match as a whole and by their parts.\n" +
    "Without a query, the newest memories are shown.",
  arguments: [{ name: "query", summary: "a question or some words", isOptional: true }],
  options: { ...filterOptions, limit: limitOption(10), all: allOption, global: globalOption },
  formats: ["table", "json", "markdown", "quiet"],
  isLong: true,
  examples: [
    'ralph memory search "how do we start the database"',
    "ralph memory search --type fix --tags docker",
    "ralph memory search --format json",
  ],
  async run(invocation) {
    const { arguments: words, options, openMemory } = invocation;
    const [query = ""] = words;
    const { notes } = await openMemory({ owner: ownerOf(options) });
    const filter = filterOf(options);
    const isQuery = query.trim() !== "";
    await printNotes(invocation, {
      find: (limit) =>
        isQuery ? notes.search({ text: query, ...filter, limit }) : notes.list({ ...filter, limit }),
      fallback: 10,
      empty: `No memories found${options.global ? "" : "; use --global to search your global memories"}`,
    });
  },
});

const listNotes = defineCommand({
  summary: "list memories, newest first",
  options: { ...filterOptions, limit: limitOption(), all: allOption, global: globalOption },
  formats: ["table", "json", "markdown", "quiet"],
  isLong: true,
  examples: [
    "ralph memory list",
    "ralph memory list --type decision -n 5",
    "ralph memory list --format json",
  ],
  async run(invocation) {
    const { options, openMemory } = invocation;
    const { notes } = await openMemory({ owner: ownerOf(options) });
    const filter = filterOf(options);
    const isNarrowed = Object.values(filter).some((value) => value !== undefined);
    await printNotes(invocation, {
      find: (limit) => notes.list({ ...filter, limit }),
      empty: isNarrowed
        ? "No memories to show"
        : 'No memories yet; store one with: ralph memory add "<what to remember>"',
    });
  },
});

type NotesInvocation = Pick<Invocation<OptionSpecs>, "format" | "terminal"> & {
  options: { global: boolean; limit?: number | undefined; all?: boolean };
};

interface FoundNotes {
  find: readonly StoredNote[] | ((limit: number | undefined) => Promise<readonly StoredNote[]>);
  fallback?: number;
  empty: string;
}

function printNotes(invocation: NotesInvocation, found: FoundNotes): Promise<void> {
  const asked = ownerOf(invocation.options);
  return printList(invocation, {
    ...found,
    json: (note) => noteJson(note, asked),
    id: (note) => note.id,
    markdown: noteSections,
    table: (notes) => noteTable(notes, asked, invocation.terminal),
  });
}

const show = defineCommand({
  summary: "show a memory",
  description: "Looks in the project's memory, then in your global one.",
  arguments: [idArgument],
  options: { global: flag("look only in your global memory") },
  formats: ["table", "json", "markdown", "quiet"],
  isLong: true,
  examples: ["ralph memory show mem-1737372000-a1b2", "ralph memory show mem-17373720 --format json"],
  async run({ arguments: [id = ""], options, print, openMemory }) {
    const note = await findNote(id, options, openMemory);
    const asked = ownerOf(options);
    print({
      json: noteJson(note, asked),
      quiet: note.id,
      markdown: () => renderNote(note),
      table: () => noteFacts(note, asked),
    });
  },
});

async function findNote(
  id: string,
  options: { global: boolean },
  openMemory: Invocation<OptionSpecs>["openMemory"],
): Promise<StoredNote> {
  try {
    return await (await openMemory({ owner: ownerOf(options) })).notes.get(id);
  } catch (error) {
    const isMissing = error instanceof RalphError && error.code === "not-found";
    if (!isMissing || options.global) throw error;
    const own = await openMemory({ owner: "user" });
    return own.notes.get(id).catch(() => {
      throw error;
    });
  }
}

const edit = defineCommand({
  summary: "change a memory's content, type or tags",
  description:
    "Without new content, type or tags, your editor (VISUAL, EDITOR or vi) opens on the content, on a terminal.\n" +
    "The id and the date are kept. Changing the type moves the memory to that section of the file. New tags replace the\n" +
    'old ones; --tags "" removes all tags.',
  arguments: [
    idArgument,
    { name: "content", summary: 'new content; "-" reads it from standard input', isOptional: true },
  ],
  options: {
    type: typeOption("new type"),
    tags: tagsOption("new tags, comma-separated"),
    global: globalOption,
  },
  formats: ["table", "json", "quiet"],
  examples: [
    "ralph memory edit mem-1737372000-a1b2",
    'ralph memory edit mem-1737372000-a1b2 "uses barrel exports, except in tests"',
    "ralph memory edit mem-1737372000-a1b2 --type decision --tags imports",
  ],
  async run({ arguments: [id = "", content], options, terminal, print, environment, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const isInEditor = content === undefined && options.type === undefined && options.tags === undefined;
    const before = isInEditor ? await memory.notes.get(id) : undefined;
    // npm sets EDITOR=vi for everything it runs, which would wait forever.
    if (isInEditor && !(await canPrompt(terminal)))
      throw wrongUse(
        "Nothing to change: an editor is opened on a terminal only",
        'give new content, --type or --tags; "-" reads the content from standard input',
      );
    const edited = before === undefined ? undefined : await openInEditor(before, environment);
    if (before !== undefined && edited === before.content) {
      terminal.talk("Nothing was changed\n");
      return;
    }
    const { note, redacted } = await memory.notes.edit(before?.id ?? id, {
      content: edited ?? (content === undefined ? undefined : readContent(content)),
      type: options.type as NoteType | undefined,
      tags: options.tags,
    });
    printRedacted(redacted, terminal);
    print({
      json: noteJson(note, ownerOf(options)),
      quiet: note.id,
      table: `📝 Memory updated: ${note.id}\n`,
    });
  },
});

async function openInEditor({ id, content }: StoredNote, environment: Environment): Promise<string> {
  const { editText } = await import("../input/edit-text.js");
  return editText(content, `${id}.md`, environment);
}

const deleteNote = defineCommand({
  summary: "delete a memory",
  description: "The memory is removed from .agent/memories.md; the rest of the file is left untouched.",
  arguments: [idArgument],
  options: { global: globalOption },
  formats: ["table", "json", "quiet"],
  examples: ["ralph memory delete mem-1737372000-a1b2"],
  async run({ arguments: [id = ""], options, print, openMemory }) {
    const note = await (await openMemory({ owner: ownerOf(options) })).notes.delete(id);
    print({
      json: { ...noteJson(note, ownerOf(options)), deleted: true },
      quiet: note.id,
      table: `🗑️  Memory deleted: ${note.id}\n`,
    });
  },
});

const prime = defineCommand({
  summary: "print memories for a prompt",
  description:
    "Prints the project's memories and your global ones as Markdown for a prompt. With a budget, only whole memories are\n" +
    "printed, newest first, every section gets its share, and the last line says how many were left out. Without --budget\n" +
    "everything is printed: the settings under memories: only affect prompts that Ralph builds itself.",
  options: {
    budget: number("TOKENS", "maximum number of tokens; 0 means no limit"),
    ...filterOptions,
    recent: number("DAYS", "only memories from the last DAYS days; 0 means all"),
    fence: flag("mark the memories as data, so that a prompt's reader does not take them for instructions"),
    global: flag("only your global memories"),
  },
  formats: ["markdown", "json", "table"],
  isLong: true,
  examples: [
    "ralph memory prime",
    "ralph memory prime --budget 2000 --fence",
    "ralph memory prime --type fix,pattern",
    "ralph memory prime --recent 30",
  ],
  async run(invocation) {
    const { options, format, terminal, openMemory } = invocation;
    const { notes } = await openMemory({ owner: ownerOf(options) });
    const input = {
      ...filterOf(options),
      budgetTokens: options.budget,
      recentDays: options.recent,
      isFenced: options.fence,
    };
    let leftOut: number;
    if (format === "markdown") {
      const write = (piece: string | Uint8Array) =>
        terminal.out(typeof piece === "string" ? Buffer.from(piece) : piece);
      ({ leftOut } = await notes.primeInto(write, input));
    } else {
      const primed = await notes.prime(input);
      leftOut = primed.leftOut;
      await printNotes(invocation, { find: primed.notes, empty: "No memories to show" });
    }
    if (leftOut > 0) terminal.talk(`${leftOut} more left out to stay within ${options.budget} tokens\n`);
  },
});

const init = defineCommand({
  summary: "create an empty memories file",
  options: { force: flag("overwrite an existing file; a copy of it is kept"), global: globalOption },
  examples: ["ralph memory init", "ralph memory init --force"],
  async run({ options, print, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const { path, previous } = await memory.notes.init({ force: options.force });
    const saved = previous === undefined ? "" : `The previous file was saved as ${previous}\n`;
    print({
      json: { path, ...(previous && { previous }) },
      table: `Memories file created: ${path}\n${saved}`,
    });
  },
});

export const memoryCommands = { add, search, list: listNotes, show, edit, delete: deleteNote, prime, init };
