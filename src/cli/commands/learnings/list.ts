import {
  isTaskType,
  type LearningType,
  learningTypes,
  taskTypes,
} from "../../../domain/knowledge/learning.js";
import type { Memory } from "../../../memory/memory.js";
import { counted } from "../../../text/counted.js";
import { suggest } from "../../../text/nearest.js";
import { defineCommand } from "../../framework/command.js";
import { readShare } from "../../input/read-share.js";
import { allOption, limitOf, limitOption, sinceOf, sinceOption } from "../../options/list-options.js";
import { asJson, markLearnings, renderLearnings } from "../../output/learnings.js";
import { cutList } from "../../output/lists/cut-list.js";
import { renderJson } from "../../output/terminal/json.js";
import type { Terminal } from "../../output/terminal/terminal.js";

export const listLearningsCommand = defineCommand({
  summary: "list learnings, best first",
  description:
    "Sorted by confidence, success rate and use. Superseded learnings are hidden unless you pass --superseded. Learnings\n" +
    "that contradict another one, or whose files have changed a lot since, are marked.",
  arguments: [],
  options: {
    type: {
      kind: "list",
      short: "t",
      placeholder: "TYPES",
      summary: "only learnings of these types, comma-separated",
      values: learningTypes,
    },
    "task-type": {
      kind: "text",
      placeholder: "TYPE",
      summary: `only for this task type: ${taskTypes.join(", ")}`,
    },
    "min-confidence": { kind: "text", placeholder: "Q", summary: "minimum confidence, 0 to 1" },
    "min-success": { kind: "text", placeholder: "Q", summary: "minimum success rate, 0 to 1" },
    since: { ...sinceOption, summary: "only learnings updated since then: 24h, 30d or 2026-01-31" },
    limit: limitOption,
    all: allOption,
    superseded: { kind: "flag", summary: "include superseded learnings" },
    stale: { kind: "flag", summary: "only learnings whose files have changed a lot since" },
  },
  formats: ["table", "json", "quiet"],
  isLong: true,
  examples: [
    "ralph learnings list",
    "ralph learnings list --type antipattern --task-type bug-fix",
    "ralph learnings list --min-confidence 0.7 --limit 10 --json",
    "ralph learnings list --stale",
  ],
  async run({ options, format, terminal, openMemory }) {
    const taskType = options["task-type"];
    const [type, ...otherTypes] = options.type ?? [];
    const since = sinceOf(options) ?? "";
    const query = {
      type: otherTypes.length === 0 ? (type as LearningType | undefined) : undefined,
      taskType,
      minConfidence: readShare("min-confidence", options["min-confidence"]),
      minSuccessRate: readShare("min-success", options["min-success"]),
      includesSuperseded: options.superseded,
    };
    const memory = await openMemory();
    const found = (await memory.learnings.list(query)).filter(
      (learning) =>
        (otherTypes.length === 0 || options.type?.includes(learning.type)) && learning.updatedAt >= since,
    );
    const { items: shown, tell } = await cutList(
      limitOf(options),
      async (limit) => {
        if (!options.stale) return markLearnings(memory, found.slice(0, limit));
        const marked = await markLearnings(memory, found);
        return marked.filter(({ stale }) => stale !== undefined).slice(0, limit);
      },
      { terminal, format },
    );
    if (format === "json") terminal.out(renderJson(shown.map(asJson)));
    else if (format === "quiet") terminal.out(shown.map(({ id }) => `${id}\n`).join(""));
    else if (shown.length > 0) terminal.out(renderLearnings(shown, terminal));
    else {
      const isUnknownType = taskType !== undefined && !isTaskType(taskType);
      terminal.talk(`No learnings to show${isUnknownType ? `; ${suggest(taskType, taskTypes)}` : ""}\n`);
    }
    tell();
    if (format === "table") await tellStaged(memory, terminal);
    return 0;
  },
});

/** What was found and not kept yet is no learning; a person who looks for it should know where it is. */
async function tellStaged(memory: Memory, terminal: Terminal): Promise<void> {
  const { pending, validated } = await memory.learnings.stagingStats();
  const waiting = pending + validated;
  if (waiting > 0)
    terminal.talk(
      `${counted(waiting, "finding")} ${waiting === 1 ? "waits" : "wait"} for your review: ralph learnings review\n`,
    );
}
