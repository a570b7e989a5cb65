import {
  isTaskType,
  type Learning,
  type LearningType,
  learningTypes,
  taskTypes,
} from "../../../domain/knowledge/learning.js";
import { statementOf, withStatement } from "../../../domain/knowledge/statement.js";
import { counted } from "../../../text/counted.js";
import { suggest } from "../../../text/nearest.js";
import { defineCommand, wrongUse } from "../../framework/command.js";
import {
  allOption,
  flag,
  limitOption,
  list,
  readShare,
  sinceOf,
  sinceOption,
  text,
  texts,
} from "../../framework/options.js";
import { printList } from "../../framework/print.js";
import { renderEvidence } from "../../output/evidence.js";
import {
  learningArgument,
  learningJson,
  markLearnings,
  renderFacts,
  renderLearning,
  renderLearnings,
  renderLinks,
} from "../../output/learnings.js";
import { oneLine } from "../../output/terminal/style.js";
import { shownMoment } from "../../output/times.js";
import { exchangeCommands } from "./exchange.js";
import { pruningCommands } from "./pruning.js";
import { reviewCommands } from "./review.js";

const inOneLine = (learning: Learning) => `${learning.id}  ${oneLine(statementOf(learning))}`;

const listLearnings = defineCommand({
  summary: "list learnings, best first",
  description:
    "Sorted by confidence, success rate and use. Superseded learnings are hidden unless you pass --superseded. Learnings\n" +
    "that contradict another one, or whose files have changed a lot since, are marked.",
  options: {
    type: list("TYPES", "only learnings of these types, comma-separated", {
      short: "t",
      values: learningTypes,
    }),
    "task-type": text("TYPE", `only for this task type: ${taskTypes.join(", ")}`),
    "min-confidence": text("Q", "minimum confidence, 0 to 1"),
    "min-success": text("Q", "minimum success rate, 0 to 1"),
    since: sinceOption("only learnings updated since then"),
    limit: limitOption(),
    all: allOption,
    superseded: flag("include superseded learnings"),
    stale: flag("only learnings whose files have changed a lot since"),
  },
  formats: ["table", "json", "quiet"],
  isLong: true,
  examples: [
    "ralph learnings list",
    "ralph learnings list --type antipattern --task-type bug-fix",
    "ralph learnings list --min-confidence 0.7 --limit 10 --json",
    "ralph learnings list --stale",
  ],
  async run(invocation) {
    const { options, format, terminal, openMemory } = invocation;
    const taskType = options["task-type"];
    const types = options.type as LearningType[] | undefined;
    const since = sinceOf(options) ?? "";
    const query = {
      taskType,
      minConfidence: readShare("min-confidence", options["min-confidence"]),
      minSuccessRate: readShare("min-success", options["min-success"]),
      includesSuperseded: options.superseded,
    };
    const memory = await openMemory();
    const found = (await memory.learnings.list(query)).filter(
      ({ type, updatedAt }) => (types === undefined || types.includes(type)) && updatedAt >= since,
    );
    const isUnknownType = taskType !== undefined && !isTaskType(taskType);
    await printList(invocation, {
      async find(limit) {
        if (!options.stale) return markLearnings(memory, found.slice(0, limit));
        const marked = await markLearnings(memory, found);
        return marked.filter(({ stale }) => stale !== undefined).slice(0, limit);
      },
      json: learningJson,
      id: ({ id }) => id,
      table: (learnings) => renderLearnings(learnings, terminal),
      empty: `No learnings to show${isUnknownType ? `; ${suggest(taskType, taskTypes)}` : ""}`,
    });
    // Somebody who misses a learning should know where it is.
    const { pending, validated } = await memory.learnings.stagingStats();
    const waiting = pending + validated;
    if (format === "table" && waiting > 0) {
      const verb = waiting === 1 ? "waits" : "wait";
      terminal.talk(`${counted(waiting, "finding")} ${verb} for your review: ralph learnings review\n`);
    }
  },
});

const show = defineCommand({
  summary: "show a learning and its links",
  description: 'Showing a learning does not count as using it. "ralph learnings why" shows its evidence.',
  arguments: [learningArgument],
  isLong: true,
  examples: ["ralph learnings show learn-0a1b2c3d4e5f", "ralph learnings show 0a1b --json"],
  async run({ arguments: [given = ""], terminal, print, openMemory }) {
    const memory = await openMemory();
    const [learning] = await markLearnings(memory, [await memory.learnings.get(given)]);
    if (learning === undefined) return 1;
    const links = await memory.links.list(learning.id);
    const lines = renderLinks(links).map((line) => `  ${line}\n`);
    print({
      json: { ...learningJson(learning), links },
      table: `${renderLearning(learning, terminal)}${lines.length > 0 ? `Links:\n${lines.join("")}` : ""}`,
    });
    return 0;
  },
});

const why = defineCommand({
  summary: "show the evidence behind a learning",
  description:
    "Shows the attempts it was drawn from, with their last actions, errors and reflections, and all finished tasks that\n" +
    "were given it. The lift is how much better those tasks did than similar tasks without it, adjusted for sample size.",
  arguments: [learningArgument],
  isLong: true,
  examples: ["ralph learnings why learn-0a1b2c3d4e5f", "ralph learnings why 0a1b --json"],
  async run({ arguments: [id = ""], terminal, print, openMemory }) {
    const evidence = await (await openMemory()).learnings.why(id);
    print({ json: evidence, table: () => renderEvidence(evidence, terminal) });
  },
});

const stats = defineCommand({
  summary: "show counts of learnings and staged learnings",
  isLong: true,
  examples: ["ralph learnings stats", "ralph learnings stats --json"],
  async run({ terminal, print, openMemory }) {
    const { learnings } = await openMemory();
    const total = await learnings.stats();
    const staging = await learnings.stagingStats();
    const { mostUsedLearning: most, totalSize: size, lastUpdated } = total;
    const counts = (by: Record<string, number>) =>
      Object.entries(by)
        .map(([name, count]) => `${count} ${name}`)
        .join(", ");
    const staged = `${staging.pending} pending, ${staging.validated} validated, ${staging.rejected} rejected`;
    const waiting = staging.awaiting ? `, ${staging.awaiting} waiting for another task` : "";
    const facts = [
      ["Learnings", String(size)],
      ["By type", counts(total.byType)],
      ["By task", counts(total.byTaskType)],
      ["Confidence", size === 0 ? "" : `${total.averageConfidence.toFixed(2)} on average`],
      ["Success", size === 0 ? "" : `${total.averageSuccessRate.toFixed(2)} on average`],
      ["Most used", most === null ? "" : `${most.id} (${most.useCount}) ${statementOf(most)}`],
      ["Updated", lastUpdated === null ? "" : shownMoment(lastUpdated, terminal)],
      ["Staged", `${staged}${waiting}`],
    ];
    print({ json: { ...total, staging }, table: () => renderFacts(facts) });
  },
});

const update = defineCommand({
  summary: "change a learning's confidence, success rate or statement",
  description: "Id, sources and creation time are kept.",
  arguments: [learningArgument],
  options: {
    confidence: text("Q", "confidence, from 0 to 1"),
    "success-rate": text("Q", "success rate, from 0 to 1"),
    statement: text("TEXT", "new statement"),
  },
  formats: ["table", "json", "quiet"],
  examples: [
    "ralph learnings update learn-0a1b2c3d4e5f --confidence 0.9",
    'ralph learnings update 0a1b --statement "Run the database tests one by one"',
  ],
  async run({ arguments: [id = ""], options, print, openMemory }) {
    const { statement } = options;
    const confidence = readShare("confidence", options.confidence);
    const successRate = readShare("success-rate", options["success-rate"]);
    if (confidence === undefined && successRate === undefined && statement === undefined)
      throw wrongUse("Nothing to change", "use --confidence, --success-rate or --statement");
    const { learnings } = await openMemory();
    const learning = await learnings.get(id);
    const updated = await learnings.update(learning.id, {
      ...(confidence !== undefined && { confidence }),
      ...(successRate !== undefined && { successRate }),
      ...(statement !== undefined && { content: withStatement(learning, statement).content }),
    });
    print({ json: updated, quiet: updated.id, table: `updated  ${inOneLine(updated)}\n` });
  },
});

const deleteLearning = defineCommand({
  summary: "delete a learning",
  description: "It is not added again by an import, a merge or a new extraction.",
  arguments: [learningArgument],
  formats: ["table", "json", "quiet"],
  examples: ["ralph learnings delete learn-0a1b2c3d4e5f"],
  async run({ arguments: [given = ""], print, openMemory }) {
    const learning = await (await openMemory()).learnings.delete(given);
    print({
      json: { ...learning, deleted: true },
      quiet: learning.id,
      table: `deleted  ${inOneLine(learning)}\n`,
    });
  },
});

const keepOrRestore =
  '"ralph learnings restore --altered" restores them from a backup, "ralph learnings verify --accept <id>" keeps one as it is\n';

const verify = defineCommand({
  summary: "verify the checksums of all learnings",
  description:
    "Exits with 1 on a mismatch: something other than Ralph changed a learning, and briefs do not show it.\n" +
    '"ralph learnings restore --altered" restores such learnings from a backup, --accept keeps one as it is.',
  options: { accept: texts("ID", "accept this altered learning as it is; repeatable") },
  examples: ["ralph learnings verify", "ralph learnings verify --accept learn-0a1b2c3d4e5f"],
  async run({ options, format, terminal, print, openMemory }) {
    const { learnings } = await openMemory();
    for (const id of options.accept ?? [])
      terminal.talk(`accepted  ${inOneLine(await learnings.acceptAltered(id))}\n`);
    const verification = await learnings.verify();
    const { totalSize } = await learnings.stats();
    print({
      json: verification,
      table: `${verification.valid ? `Verified ${counted(totalSize, "learning")}` : verification.error}\n`,
    });
    if (!verification.valid && format === "table") terminal.talk(keepOrRestore);
    return verification.valid ? 0 : 1;
  },
});

export const learningCommands = {
  ...reviewCommands,
  ...pruningCommands,
  ...exchangeCommands,
  ...{ list: listLearnings, show, why, stats, update, delete: deleteLearning, verify },
};
