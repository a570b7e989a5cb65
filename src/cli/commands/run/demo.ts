import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withoutControls } from "../../../text/control-characters.js";
import { playDemo } from "../../demo/play-demo.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const demoCommand = defineCommand({
  summary: "see Ralph work in a scratch repository",
  description:
    "A scripted agent fails a task, Ralph reflects on the failure, the next attempt uses the reflection and passes the real\n" +
    "test, and a similar task starts with the lesson. Takes a few seconds; needs no API key, network or coding agent.",
  arguments: [],
  options: { keep: { kind: "flag", summary: "keep the scratch repository" } },
  formats: ["table", "json"],
  examples: ["ralph demo", "ralph demo --keep"],
  async run({ options, format, terminal, environment }) {
    const folder = mkdtempSync(join(tmpdir(), "ralph-demo-"));
    const steps: { step: string; result: string }[] = [];
    const showStep = (step: string, result: string) => {
      steps.push({ step, result });
      if (format === "table")
        terminal.out(`${steps.length}. ${withoutControls(step)}\n${indent(withoutControls(result))}\n\n`);
    };
    try {
      await playDemo(folder, { environment, isKept: options.keep, showStep });
      if (format === "json") terminal.out(renderJson(steps));
    } finally {
      if (options.keep) terminal.talk(`The repository was kept in ${folder}\n`);
      else rmSync(folder, { recursive: true, force: true });
    }
    return 0;
  },
});

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `   ${line}`)
    .join("\n");
}
