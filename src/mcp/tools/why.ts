import { adviceOf } from "../../domain/knowledge/statement.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Memory } from "../../memory/memory.js";
import { counted } from "../../text/counted.js";
import { clipped, fencedLines, line } from "../as-data.js";
import { type Answer, defineTool } from "./tool.js";

export const whyTool = defineTool({
  name: "why",
  description:
    "The evidence behind a learning (learn-…): attempts, what helped, how tasks that used it ended. A note (mem-…) in full, with its links.",
  arguments: { id: { type: "string" } },
  required: ["id"],
  effect: "reads",
  isIdempotent: true,
  whereIdsAre: "search and recall show the ids of notes and learnings",
  async run(memory, { id }) {
    const given = id.trim();
    if (given.startsWith("mem-")) return whyNote(memory, given);
    if (given.startsWith("learn-")) return whyLearning(memory, given);
    throw new RalphError("wrong-use", `Not the id of a learning or a note: ${given}`, {
      hint: "ids begin with learn- or mem-; for a task, use history",
    });
  },
});

async function whyNote(memory: Memory, given: string): Promise<Answer> {
  const { id, type, content, tags, created, origin } = await memory.notes.get(given);
  const links = (await memory.links.list(id)).map(({ from, to, relation }) => ({ from, to, relation }));
  return {
    text: fencedLines(`${id}, a ${type} of ${created}.`, [
      content,
      ...links.map(({ from, to, relation }) => `- ${from} ${relation} ${to}`),
    ]),
    value: { id, type, content, tags, created, origin, links },
  };
}

async function whyLearning(memory: Memory, given: string): Promise<Answer> {
  const { learning, attempts, remedies, otherSources, credits, lift } = await memory.learnings.why(given);
  const won = credits.filter(({ succeeded }) => succeeded).length;
  const said = (texts: readonly string[]) => texts.map((text) => clipped(text, 300));
  return {
    text: fencedLines(`The evidence behind ${learning.id}.`, [
      line(adviceOf(learning), 1000),
      ...remedies.flatMap(({ source, remedy, inVain }) => [
        ...(remedy === undefined ? [] : [`- ${source}: helped: ${line(remedy)}`]),
        ...inVain.map((tried) => `- ${source}: in vain: ${line(tried)}`),
      ]),
      ...attempts.map(
        ({ episode, outcome, description }) => `- ${episode} (${outcome}): ${line(description)}`,
      ),
      ...otherSources.map((source) => `- from ${line(source)}`),
      `Used in ${counted(credits.length, "finished task")}, ${won} succeeded; lift ${lift.toFixed(2)}`,
    ]),
    value: {
      id: learning.id,
      type: learning.type,
      statement: adviceOf(learning),
      attempts: attempts.map(({ episode, outcome, description, errors, reflections }) => ({
        ...{ episode, outcome, description: clipped(description, 300) },
        ...{ errors: said(errors), reflections: said(reflections) },
      })),
      remedies: remedies.map(({ source, remedy, inVain }) => ({
        source,
        ...(remedy !== undefined && { helped: clipped(remedy, 300) }),
        in_vain: said(inVain),
      })),
      other_sources: otherSources,
      used: credits.length,
      succeeded: won,
      lift,
    },
  };
}
