import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/agents/streams/agent-event.js";
import { textFromProject } from "../../src/files/relative-path.js";
import { eventFromProject } from "../../src/loop/run-agent.js";

const root = "/home/dev/app";

describe("what is told from the project's folder", () => {
  it("names files in texts as every copy of the project does", () => {
    expect(
      textFromProject(root, "at file:///home/dev/app/a.mjs:5, /home/dev/app/b.js and /home/dev/other"),
    ).toBe("at a.mjs:5, b.js and /home/dev/other");
  });

  it.each([
    ["cd /home/dev/app/api && npm install luxon", "cd api && npm install luxon"],
    ['cd "/home/dev/app" && npm test', "npm test"],
    ["cd /home/dev/app; npm test", "npm test"],
    ["cd /home/dev/app/api\nnpm test", "cd api\nnpm test"],
    ['cd "/home/dev/app/my api" && npm test', 'cd "my api" && npm test'],
    ["cd /home/dev/other && npm test", "cd /home/dev/other && npm test"],
    ["cd api && npm test", "cd api && npm test"],
  ])("runs a command in a folder of the project: %s", (command, told) => {
    expect(eventFromProject(root, { kind: "started", tool: "Bash", params: { command } })).toMatchObject({
      params: { command: told },
    });
  });

  it("names files in an agent's actions so, and leaves other words of commands, contents and other files as they are", () => {
    const params = {
      file_path: "/home/dev/app/src/a.ts",
      notebook_path: "/home/dev/application/a.ipynb",
      command: "cat /home/dev/app/src/a.ts",
      content: "/home/dev/app/x",
      limit: 3,
    };
    const told = { ...params, file_path: "src/a.ts" };
    expect(eventFromProject(root, { kind: "started", tool: "Edit", params })).toMatchObject({ params: told });
    const action: AgentEvent = {
      kind: "action",
      action: {
        timestamp: "2026-11-16T00:00:00.000Z",
        tool: "Edit",
        params,
        success: false,
        error: "/home/dev/app/src/a.ts is not there",
      },
    };
    expect(eventFromProject(root, action)).toEqual({
      kind: "action",
      action: { ...action.action, params: told, error: "src/a.ts is not there" },
    });
  });
});
