import { existsSync } from "node:fs";
import { extname } from "node:path";
import { leftOutAsAltered } from "../../../../domain/knowledge/statement.js";
import { RalphError } from "../../../../domain/ralph-error.js";
import { counted } from "../../../../text/counted.js";
import { defineCommand } from "../../../framework/command.js";
import { targetFile } from "../../../output/target-file.js";
import { renderJson } from "../../../output/terminal/json.js";

const shapes = ["json", "markdown", "csv"] as const;

type Shape = (typeof shapes)[number];

const shapeOf: Record<string, Shape> = { ".md": "markdown", ".csv": "csv", ".json": "json" };

export const exportLearningsCommand = defineCommand({
  summary: "export all learnings as JSON, Markdown or CSV",
  description:
    "JSON is the interchange format, with a checksum. JSON and CSV only contain strategies, antipatterns, estimates and\n" +
    "conventions. Markdown is for people: all types, without superseded learnings.",
  arguments: [
    { name: "file", summary: "output file; - writes to standard output [default: -]", isOptional: true },
  ],
  options: {
    as: {
      kind: "text",
      placeholder: "SHAPE",
      summary: "output format [default: by file extension, else json]",
      values: shapes,
    },
    force: { kind: "flag", summary: "overwrite an existing file" },
  },
  formats: ["table", "json"],
  examples: [
    "ralph learnings export ralph-learnings.json",
    "ralph learnings export --as markdown",
    "ralph learnings export learnings.csv",
  ],
  async run({ arguments: [file], options, format, terminal, openMemory }) {
    const shape = (options.as as Shape | undefined) ?? shapeOf[extname(file ?? "").toLowerCase()] ?? "json";
    const path = file === undefined || file === "-" ? undefined : targetFile(file);
    if (path !== undefined && !options.force && existsSync(path)) {
      throw new RalphError("already-exists", `${file} already exists`, {
        hint: "choose another name, or overwrite it with --force",
      });
    }
    const { text, count, leftOut, altered } = await (await openMemory()).learnings.export(shape);
    if (path === undefined) terminal.out(terminal.isScreen ? text : Buffer.from(text));
    else {
      const { replaceFile } = await import("../../../../files/replace-file.js");
      replaceFile(path, text);
      if (format === "json") terminal.out(renderJson({ file, learnings: count, left_out: leftOut }));
      else terminal.out(`Exported ${counted(count, "learning")} to ${file}\n`);
    }
    if (leftOut > 0) {
      const what = shape === "markdown" ? "superseded" : `${shape} cannot hold the types pattern and fact`;
      terminal.talk(`${leftOut} left out: ${what}\n`);
    }
    if (altered > 0) terminal.talk(`${leftOutAsAltered(altered)}\n`);
    return 0;
  },
});
