import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { RalphError } from "../../../../domain/ralph-error.js";
import { counted } from "../../../../text/counted.js";
import { defineCommand } from "../../../framework/command.js";
import { onScreen } from "../../../output/notes.js";
import { renderJson } from "../../../output/terminal/json.js";

const shapes = ["json", "markdown", "csv"] as const;

type Shape = (typeof shapes)[number];

const shapeOf: Record<string, Shape> = { ".md": "markdown", ".csv": "csv", ".json": "json" };

export const exportLearningsCommand = defineCommand({
  summary: "write all learnings as JSON, Markdown or CSV",
  description:
    "JSON is the document that other tools of this kind read, with its checksum; it and CSV know strategies, antipatterns,\n" +
    "estimates and conventions only. Markdown is for people: every type, without what was superseded.",
  arguments: [{ name: "file", summary: "where to write [default: standard output]", isOptional: true }],
  options: {
    as: {
      kind: "text",
      placeholder: "SHAPE",
      summary: "[default: by the file's name, else json]",
      values: shapes,
    },
    force: { kind: "flag", summary: "write over a file that is there" },
  },
  formats: ["table", "json"],
  examples: [
    "ralph learnings export ralph-learnings.json",
    "ralph learnings export --as markdown",
    "ralph learnings export learnings.csv",
  ],
  async run({ arguments: [file], options, format, terminal, openMemory }) {
    const shape = (options.as as Shape | undefined) ?? shapeOf[extname(file ?? "").toLowerCase()] ?? "json";
    if (file !== undefined && !options.force && existsSync(file)) {
      throw new RalphError("already-exists", `${file} exists already`, {
        hint: "choose another name, or write over it with --force",
      });
    }
    const { text, count, leftOut } = await (await openMemory()).learnings.export(shape);
    if (file === undefined) terminal.out(onScreen(text, terminal));
    else {
      const { replaceFile } = await import("../../../../files/writing/replace-file.js");
      replaceFile(resolve(file), text);
      if (format === "json") terminal.out(renderJson({ file, learnings: count, left_out: leftOut }));
      else terminal.out(`${counted(count, "learning")} written to ${file}\n`);
    }
    if (leftOut > 0) {
      const what =
        shape === "markdown" ? "superseded" : "of the types pattern and fact, which it does not know";
      terminal.talk(`${leftOut} left out: ${what}\n`);
    }
    return 0;
  },
});
