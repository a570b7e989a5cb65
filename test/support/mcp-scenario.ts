import type { Client } from "@modelcontextprotocol/client";
import { expect } from "vitest";
import { openScratchMemory } from "./open-scratch-memory.js";
import { logged, recordTask } from "./record-task.js";

/** Sends a request of MCP and gives what is answered; how, is the client's business. */
export type Ask = (
  method: ScenarioMethod,
  params?: Record<string, unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server answers
) => Promise<any>;

export type ScenarioMethod =
  | "tools/list"
  | "tools/call"
  | "resources/list"
  | "resources/templates/list"
  | "resources/read"
  | "prompts/list"
  | "prompts/get";

/** Asks with a client of the official SDK. */
export function askWith(client: Client): Ask {
  return (method, params = {}) => {
    switch (method) {
      case "tools/list":
        return client.listTools();
      case "tools/call":
        return client.callTool(params as never);
      case "resources/list":
        return client.listResources();
      case "resources/templates/list":
        return client.listResourceTemplates();
      case "resources/read":
        return client.readResource(params as never);
      case "prompts/list":
        return client.listPrompts();
      case "prompts/get":
        return client.getPrompt(params as never);
    }
  };
}

/** A project with a task of two attempts, and a learning from it. */
export async function fillForScenario(root: string): Promise<void> {
  const memory = await openScratchMemory({ root });
  await recordTask(
    memory,
    "Fix the build of the login page",
    {
      actions: [logged.fails("npm run build", "TS2322: Type 'string' is not assignable to type 'number'.")],
      end: { outcome: "failure", reason: "the build fails" },
    },
    { actions: [logged.edits("src/login.ts"), logged.runs("npm run build")] },
  );
  await memory.learnings.add({
    type: "strategy",
    taskType: "bug-fix",
    content: { description: "Run the type checker before the build of the login page" },
    confidence: 0.9,
    sourceLoops: ["task-001"],
    source_episodes: ["task-001/1"],
  } as never);
}

const toolNames = ["recall", "search", "remember", "forget", "history", "reflect", "why", "handoff"];

/** Walks through all tools, resources and prompts of a project that was filled for it. */
export async function playScenario(ask: Ask, root: string): Promise<void> {
  const called = new Set<string>();
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    called.add(name);
    const { content, structuredContent, isError } = await ask("tools/call", { name, arguments: given });
    expect([name, isError ?? false, structuredContent?.root]).toEqual([name, false, root]);
    expect(content[0].text).toEqual(expect.stringMatching(/\S/));
    return structuredContent;
  };
  const { tools } = await ask("tools/list");
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(toolNames);

  const content = "The login page needs docker: ECONNREFUSED means that it is down";
  const { id } = await call("remember", { content, type: "fix", tags: ["docker", "login"] });
  const found = await call("search", { query: "ECONNREFUSED", limit: 5 });
  expect(found.notes).toMatchObject([{ id, content, tags: ["docker", "login"] }]);
  const recalled = await call("recall", { objective: "Fix the build of the login page", budget: 2000 });
  expect(recalled.ids).toContain(id);
  const learning = recalled.ids.find((each: string) => each.startsWith("learn-"));
  expect(await call("why", { id: learning })).toMatchObject({ id: learning, type: "strategy" });
  expect(await call("why", { id })).toMatchObject({ id, content });

  expect((await call("history", { limit: 5 })).tasks).toMatchObject([{ id: "task-001", attempts: 2 }]);
  const history = await call("history", { task: "task-001", attempt: 1 });
  expect(history.actions).toMatchObject([{ what: "npm run build", success: false }]);
  const observation = "The fixture needs a running database";
  expect(await call("reflect", { task: "task-001", observation })).toMatchObject({ task: "task-001" });

  const work = { from: "eng", to: "qa", done: "The page builds", needs_testing: ["the form"] };
  const { handoff } = await call("handoff", { action: "create", ...work });
  expect((await call("handoff", { action: "list", to: "qa" })).handoffs).toMatchObject([{ id: handoff.id }]);
  const accepted = await call("handoff", { action: "accept", id: handoff.id });
  expect(accepted.handoff).toMatchObject({ accepted_by: "qa" });

  const { resources } = await ask("resources/list");
  const uris: string[] = resources.map(({ uri }: { uri: string }) => uri);
  const { resourceTemplates } = await ask("resources/templates/list");
  uris.push(resourceTemplates[0].uriTemplate.replace("{id}", "task-001"));
  const texts: string[] = [];
  for (const uri of uris) texts.push((await ask("resources/read", { uri })).contents[0].text);
  expect(texts).toMatchObject(
    [content, "task-001 (completed", observation].map((part) => expect.stringContaining(part)),
  );

  const { prompts } = await ask("prompts/list");
  const objective = "Repair the login page";
  const { messages } = await ask("prompts/get", { name: prompts[0].name, arguments: { objective } });
  expect(messages[0].content.text).toContain(objective);
  expect(messages[0].content.text).toContain(content);

  expect(await call("forget", { id })).toMatchObject({ id, deleted: true });
  expect((await call("search", { query: "ECONNREFUSED", in: "notes" })).notes).toEqual([]);
  expect([...called].sort()).toEqual([...toolNames].sort());
}
