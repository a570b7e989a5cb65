import {
  isTaskType,
  type LearningType,
  learningTypes,
  taskTypes,
} from "../../../domain/knowledge/learning.js";
import { suggest } from "../../../text/nearest.js";
import { defineCommand } from "../../framework/command.js";
import { readShare } from "../../input/read-share.js";
import { markLearnings, renderLearnings } from "../../output/learnings.js";
import { renderJson } from "../../output/terminal/json.js";

export const listLearningsCommand = defineCommand({
  summary: "list learnings, best first",
  description:
    "Sorted by confidence, success rate and use. Superseded learnings are hidden unless you pass --superseded. Learnings\n" +
    "that contradict another one, or whose files have changed a lot since, are marked.",
  arguments: [],
  options: {
    type: {
      kind: "text",
      short: "t",
      placeholder: "TYPE",
      summary: "only learnings of this type",
      values: learningTypes,
    },
    "task-type": {
      kind: "text",
      placeholder: "TYPE",
      summary: `only for this task type: ${taskTypes.join(", ")}`,
    },
    "min-confidence": { kind: "text", placeholder: "Q", summary: "minimum confidence, 0 to 1" },
    "min-success": { kind: "text", placeholder: "Q", summary: "minimum success rate, 0 to 1" },
    limit: { kind: "number", placeholder: "N", summary: "maximum number of learnings" },
    superseded: { kind: "flag", summary: "include superseded learnings" },
    stale: { kind: "flag", summary: "only learnings whose files have changed a lot since" },
  },
  formats: ["table", "json", "quiet"],
  examples: [
    "ralph learnings list",
    "ralph learnings list --type antipattern --task-type bug-fix",
    "ralph learnings list --min-confidence 0.7 --limit 10 --json",
    "ralph learnings list --stale",
  ],
  async run({ options, format, terminal, openMemory }) {
    const taskType = options["task-type"];
    const { limit, stale: isStaleOnly } = options;
    const query = {
      type: options.type as LearningType | undefined,
      taskType,
      minConfidence: readShare("min-confidence", options["min-confidence"]),
      minSuccessRate: readShare("min-success", options["min-success"]),
      includesSuperseded: options.superseded,
      limit: isStaleOnly ? undefined : limit,
    };
    const memory = await openMemory();
    const marked = await markLearnings(memory, await memory.learnings.list(query));
    const shown = isStaleOnly ? marked.filter(({ stale }) => stale !== undefined).slice(0, limit) : marked;
    if (format === "json") terminal.out(renderJson(shown));
    else if (format === "quiet") terminal.out(shown.map(({ id }) => `${id}\n`).join(""));
    else if (shown.length > 0) terminal.out(renderLearnings(shown, terminal));
    else {
      const isUnknownType = taskType !== undefined && !isTaskType(taskType);
      terminal.talk(`No learnings to show${isUnknownType ? `; ${suggest(taskType, taskTypes)}` : ""}\n`);
    }
    return 0;
  },
});
