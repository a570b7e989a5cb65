import { type ReadResourceResult, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { RalphError } from "../domain/ralph-error.js";
import type { Memory } from "../memory/memory.js";
import { fencedLines } from "./as-data.js";
import { describeHistory, describeTask } from "./describe-tasks.js";

const mimeType = "text/markdown";
const shownTasks = 100;

export const resourceListing = [
  { uri: "ralph://notes", name: "notes", description: "All notes of the project", mimeType },
  { uri: "ralph://tasks", name: "tasks", description: "Its newest tasks", mimeType },
];

export const templateListing = [
  { uriTemplate: "ralph://tasks/{id}", name: "task", description: "The history of one task", mimeType },
];

const known = [
  ...resourceListing.map(({ uri }) => uri),
  ...templateListing.map(({ uriTemplate }) => uriTemplate),
].join(", ");

export async function readResource(memory: Memory, uri: string): Promise<ReadResourceResult> {
  const text = await textOf(memory, uri);
  return { contents: [{ uri, mimeType, text, _meta: { root: memory.project.root } }] };
}

async function textOf({ notes, tasks }: Memory, uri: string): Promise<string> {
  if (uri === "ralph://notes") return (await notes.primeText({ isFenced: true })).text || "No notes yet";
  if (uri === "ralph://tasks") {
    const listed = await tasks.list({ limit: shownTasks });
    if (listed.length === 0) return "No tasks yet";
    return fencedLines(
      "The newest tasks of this project.",
      listed.map((task) => describeTask(task).text),
    );
  }
  const id = /^ralph:\/\/tasks\/(task-(?:\d+|local-[0-9a-f]{8}))$/.exec(uri)?.[1];
  if (id === undefined) throw new ResourceNotFoundError(uri, `No such resource: ${uri} (there are ${known})`);
  try {
    const history = await tasks.history(id);
    return fencedLines(`The record of ${history.id}.`, describeHistory(history).lines);
  } catch (error) {
    if (error instanceof RalphError && error.code === "not-found")
      throw new ResourceNotFoundError(uri, error.message);
    throw error;
  }
}
