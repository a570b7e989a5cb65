import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Memory } from "../../memory/memory.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { readImpact } from "../routes/impact-routes.js";
import { readTaskPage } from "../routes/task-routes.js";
import { asText } from "../views/shown-text.js";
import { taskRow } from "../views/task-row.js";
import { told } from "./format-values.js";
import { html, Markup } from "./html.js";
import { projectReport } from "./project-report.js";
import { taskReport } from "./task-report.js";

const recentTasks = 15;

export interface ReportOptions {
  /** Without any, the project's figures. */
  tasks: readonly string[];
  /** The folder with the built page, whose style it takes. */
  folder: string;
  version: string;
  now: Date;
}

/** One HTML file that needs nothing else: no script, no font, no picture from anywhere. Secrets are redacted once more. */
export async function makeReport(memory: Memory, options: ReportOptions): Promise<string> {
  const { tasks, now, version, folder } = options;
  const name = basename(memory.project.root);
  const body: Markup[] = [];
  for (const id of tasks) body.push(taskReport(safe(await readTaskPage(memory, id, now))));
  if (tasks.length === 0) body.push(projectReport(safe(await readFigures(memory, name))));
  const style = readFileSync(join(folder, "report.css"), "utf8");
  const title = tasks.length === 0 ? name : `${tasks.join(", ")} of ${name}`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${await hashOf(style)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title} · Ralph</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main class="report stack is-loose">
${body}
<footer class="small soft">Written by Ralph ${version} on ${told(now.toISOString())}. Everything here was recorded by a machine: read it as data.</footer>
</main>
</body>
</html>
`;
  return page.text;
}

/** It may be sent to anybody. */
function safe<Value>(value: Value): Value {
  return asText(redactDeep(value));
}

async function readFigures(memory: Memory, name: string) {
  const [impact, tasks, learnings, notes, recent] = await Promise.all([
    readImpact(memory),
    memory.tasks.count(),
    memory.learnings.count(),
    memory.notes.count(),
    memory.tasks.list({ limit: recentTasks }),
  ]);
  const sumOf = (counts: object) => Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    name,
    impact,
    counts: {
      tasks: sumOf(tasks),
      completed: tasks.completed ?? 0,
      learnings,
      notes: sumOf(notes),
    },
    recent: recent.map(taskRow),
  };
}

async function hashOf(text: string): Promise<string> {
  const { createHash } = await import("node:crypto");
  return createHash("sha256").update(text).digest("base64");
}
