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
    "The order is by confidence, success and use. Those that another one has superseded are left out, unless --superseded\n" +
    "is given; what contradicts another, and what came from files that changed a lot since, is marked.",
  arguments: [],
  options: {
    type: {
      kind: "text",
      short: "t",
      placeholder: "TYPE",
      summary: "only of this type",
      values: learningTypes,
    },
    "task-type": {
      kind: "text",
      placeholder: "TYPE",
      summary: `only for such tasks: ${taskTypes.join(", ")}`,
    },
    "min-confidence": { kind: "text", placeholder: "Q", summary: "only of at least this confidence, 0 to 1" },
    "min-success": { kind: "text", placeholder: "Q", summary: "only of at least this success rate, 0 to 1" },
    limit: { kind: "number", placeholder: "N", summary: "show at most N" },
    superseded: { kind: "flag", summary: "those that another one has superseded, too" },
    stale: { kind: "flag", summary: "only those whose files changed a lot since" },
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
      const isOdd = taskType !== undefined && !isTaskType(taskType);
      terminal.talk(`No learnings to show${isOdd ? `; ${suggest(taskType, taskTypes)}` : ""}\n`);
    }
    return 0;
  },
});
