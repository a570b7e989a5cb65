import { existsSync } from "node:fs";
import { extname } from "node:path";
import { leftOutAsAltered } from "../../../domain/knowledge/statement.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { counted } from "../../../text/counted.js";
import { defineCommand, wrongUse } from "../../framework/command.js";
import { flag, text, yesOption } from "../../framework/options.js";
import { confirm } from "../../input/ask.js";
import { readDocument } from "../../input/read-content.js";
import { learningArgument, printImported } from "../../output/learnings.js";
import { noteJson } from "../../output/notes.js";
import { targetFile } from "../../output/target-file.js";
import { printRedacted } from "../../output/terminal/notices.js";
import { renderJson } from "../../output/terminal/style.js";

const shapes = ["json", "markdown", "csv"] as const;

type Shape = (typeof shapes)[number];

const shapeOf: Record<string, Shape> = { ".md": "markdown", ".csv": "csv", ".json": "json" };

const exportLearningsCommand = defineCommand({
  summary: "export all learnings as JSON, Markdown or CSV",
  description:
    "JSON is the interchange format, with a checksum. JSON and CSV only contain strategies, antipatterns, estimates and\n" +
    "conventions. Markdown is for people: all types, without superseded learnings.",
  arguments: [
    { name: "file", summary: "output file; - writes to standard output [default: -]", isOptional: true },
  ],
  options: {
    as: text("SHAPE", "output format [default: by file extension, else json]", { values: shapes }),
    force: flag("overwrite an existing file"),
  },
  examples: [
    "ralph learnings export ralph-learnings.json",
    "ralph learnings export --as markdown",
    "ralph learnings export learnings.csv",
  ],
  async run({ arguments: [file], options, terminal, print, openMemory }) {
    const shape = (options.as as Shape | undefined) ?? shapeOf[extname(file ?? "").toLowerCase()] ?? "json";
    const path = file === undefined || file === "-" ? undefined : targetFile(file);
    if (path !== undefined && !options.force && existsSync(path))
      throw new RalphError("already-exists", `${file} already exists`, {
        hint: "choose another name, or overwrite it with --force",
      });
    const { text, count, leftOut, altered } = await (await openMemory()).learnings.export(shape);
    if (path === undefined) terminal.out(terminal.isScreen ? text : Buffer.from(text));
    else {
      const { replaceFile } = await import("../../../files/replace-file.js");
      replaceFile(path, text);
      print({
        json: { file, learnings: count, left_out: leftOut },
        table: `Exported ${counted(count, "learning")} to ${file}\n`,
      });
    }
    if (leftOut > 0) {
      const what = shape === "markdown" ? "superseded" : `${shape} cannot hold the types pattern and fact`;
      terminal.talk(`${leftOut} left out: ${what}\n`);
    }
    if (altered > 0) terminal.talk(`${leftOutAsAltered(altered)}\n`);
  },
});

const importLearningsCommand = defineCommand({
  summary: "import learnings from a JSON export",
  description:
    "If the checksum does not match or any learning is invalid, nothing is imported. A learning that already exists, by id\n" +
    "or by statement, is merged with it. Deleted learnings stay deleted. Learnings that read like instructions to an agent\n" +
    "are staged for a review; with the setting learnings.promotion: review, all of them are. A backup is made first.",
  arguments: [{ name: "file", summary: 'JSON file, or "-" for standard input' }],
  examples: [
    "ralph learnings import ralph-learnings.json",
    "ralph learnings export --root ../other | ralph learnings import -",
  ],
  async run({ arguments: [file = ""], format, terminal, openMemory }) {
    const text = readDocument(file);
    const imported = await (await openMemory()).learnings.import(text);
    if (format === "json") terminal.out(renderJson(imported));
    else {
      const { added, merged, unchanged, skipped, staged } = imported;
      const total = added + merged + unchanged + skipped + staged.length;
      printImported(imported, terminal, `Read ${counted(total, "learning")}: `);
    }
  },
});

const publishCommand = defineCommand({
  summary: "publish a learning as a note",
  description:
    'Adds a note to .agent/memories.md, tagged with the task type and "learned", so that it can be reviewed in Git.\n' +
    "Strategies, conventions and patterns become pattern notes; antipatterns become fix notes with their reason and\n" +
    "prevention; estimates and facts become context notes.",
  arguments: [learningArgument],
  formats: ["table", "json", "quiet"],
  examples: ["ralph learnings publish learn-0a1b2c3d4e5f"],
  async run({ arguments: [id = ""], format, terminal, openMemory }) {
    const { note, kind, learning, redacted } = await (await openMemory()).learnings.publish(id);
    printRedacted(redacted, terminal);
    const isExisting = kind === "existing";
    if (format === "json") {
      const existing = isExisting && { existing: true };
      terminal.out(renderJson({ ...noteJson(note, "project"), ...existing, learning: learning.id }));
    } else if (format === "quiet") terminal.out(`${note.id}\n`);
    else {
      terminal.out(`📝 Memory ${isExisting ? "is already stored" : "stored"}: ${note.id}\n`);
      terminal.talk("Review it in .agent/memories.md, edit it if needed, and commit it\n");
    }
  },
});

const backupCommand = defineCommand({
  summary: "back up all learnings",
  description:
    "These backups are kept until you delete them. Commands that change many learnings at once also make an automatic\n" +
    "backup first; the newest five of those are kept.",
  formats: ["table", "json", "quiet"],
  examples: ["ralph learnings backup"],
  async run({ print, openMemory }) {
    const memory = await openMemory();
    const { totalSize: learnings } = await memory.learnings.stats();
    if (learnings === 0)
      throw new RalphError("not-found", "No learnings to back up", {
        hint: '"ralph learnings extract" extracts some from a task',
      });
    const path = await memory.learnings.backUp();
    print({
      json: { path, learnings },
      quiet: path,
      table: `Backed up ${counted(learnings, "learning")} to ${path}\n`,
    });
  },
});

const restoreCommand = defineCommand({
  summary: "replace all learnings with a backup",
  description:
    "Without a file, the newest backup with a valid checksum is used; a given file with a wrong checksum is refused. The\n" +
    "current learnings are backed up first. With --altered, only learnings that do not match their checksum are restored.",
  arguments: [{ name: "file", summary: "backup file [default: the newest valid backup]", isOptional: true }],
  options: {
    altered: flag("only learnings that were altered outside Ralph, each from the newest backup that has it"),
    yes: yesOption,
  },
  examples: [
    "ralph learnings restore",
    "ralph learnings restore --altered",
    "ralph learnings restore .ralph/backups/learnings-2026-01-31.json --yes",
  ],
  async run({ arguments: [file], options, terminal, print, openMemory }) {
    const memory = await openMemory();
    if (options.altered) {
      if (file !== undefined) throw wrongUse("--altered looks through all backups; leave out the file");
      const { restored, missing } = await memory.learnings.restoreAltered();
      print({ json: { restored, missing }, table: `Restored ${counted(restored.length, "learning")}\n` });
      if (missing.length > 0) terminal.talk(`No backup has ${missing.join(", ")}\n`);
      return missing.length === 0 ? 0 : 1;
    }
    const { totalSize } = await memory.learnings.stats();
    const question = `Replace ${counted(totalSize, "learning")} with ${file ?? "the newest valid backup"}?`;
    if (!options.yes && !(await confirm(question, terminal))) {
      terminal.talk("Nothing was changed\n");
      return 1;
    }
    const restored = await memory.learnings.restore(file);
    print({
      json: restored,
      table: `Restored ${counted(restored.learnings, "learning")} from ${restored.path}\n`,
    });
  },
});

/** By the word that follows the noun. */
export const exchangeCommands = {
  export: exportLearningsCommand,
  import: importLearningsCommand,
  publish: publishCommand,
  backup: backupCommand,
  restore: restoreCommand,
};
