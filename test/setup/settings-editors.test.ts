import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AgentName, agentNames, agentSetups, type Part } from "../../src/setup/agent-files.js";
import type { Material, PartEditor } from "../../src/setup/edit-parts.js";
import { parseJsonc, plainValue } from "../../src/setup/formats/jsonc.js";
import { hooksEditor } from "../../src/setup/hooks-editor.js";
import { serverEditor } from "../../src/setup/server-editor.js";
import { settingsDocument } from "./jsonc-documents.js";

const places = { root: "/project", home: "/home/me", environment: {} };

function materialOf(agent: AgentName, words = ["ralph-memory"]): Material {
  const program = { words, file: "/x/dist/cli/main.cjs", node: "/bin/node", isByName: words.length === 1 };
  return { agent, program, skill: "", opencodePlugin: "" };
}

const editorOf = (part: Part): PartEditor =>
  (part.kind === "hooks" ? hooksEditor : serverEditor) as PartEditor;

const jsonParts = agentNames.flatMap((agent) =>
  agentSetups[agent]
    .parts("project", places)
    .filter((part) => part.kind === "hooks" || (part.kind === "mcp" && part.format !== "codex-toml"))
    .map((part) => ({ agent, part, name: `${part.kind} of ${agent}` })),
);

describe.each(jsonParts)("$name in any settings file", ({ agent, part }) => {
  const editor = editorOf(part);
  const material = materialOf(agent);

  it("are taken out again byte for byte, and adding them twice changes nothing", () => {
    fc.assert(
      fc.property(settingsDocument, (before) => {
        const after = editor.add(before, part, material);
        expect(editor.add(after, part, material)).toBe(after);
        expect(editor.remove(after, part, material)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  it("leave every other value as it was", () => {
    fc.assert(
      fc.property(settingsDocument, (before) => {
        const after = editor.add(before, part, material);
        const [old, now] = [before, after].map(
          (text) => plainValue(parseJsonc(text)) as Record<string, Record<string, unknown[]>>,
        );
        for (const key of Object.keys(old ?? {})) {
          const [was, is] = [old?.[key], now?.[key]];
          if (typeof was !== "object" || was === null || Array.isArray(was)) expect(is).toEqual(was);
          else
            for (const name of Object.keys(was)) {
              const list = is?.[name];
              expect(Array.isArray(list) ? list.slice(0, was[name]?.length) : list).toEqual(was[name]);
            }
        }
      }),
      { numRuns: 100 },
    );
  });

  it("make the file where there is none, and remove it", () => {
    const made = editor.add(undefined, part, material);
    expect(() => JSON.parse(made)).not.toThrow();
    expect(made.endsWith("}\n")).toBe(true);
    expect(editor.remove(made, part, material)).toBeUndefined();
  });

  it.each(["", "\n", "  \r\n", "\ufeff"])(
    "go into a file with nothing in it, and out again: %j",
    (before) => {
      const after = editor.add(before, part, material);
      expect(() => JSON.parse(after.replace("\ufeff", ""))).not.toThrow();
      expect(editor.add(after, part, material)).toBe(after);
      expect(editor.remove(after, part, material)).toBe(before);
    },
  );

  it("replace those of an older version, wherever that was installed", () => {
    fc.assert(
      fc.property(settingsDocument, (before) => {
        const older = editor.add(
          before,
          part,
          materialOf(agent, ["/usr/bin/node", "/old place/ralph-memory/dist/cli/main.cjs"]),
        );
        expect(editor.add(older, part, material)).toBe(editor.add(before, part, material));
      }),
      { numRuns: 100 },
    );
  });

  it("replace or take out those that called `ralph`, and passed on how it ended", () => {
    const asBefore = (text: string) => text.replaceAll(/(?:;| \|\|) exit 0"/g, '"');
    fc.assert(
      fc.property(settingsDocument, (before) => {
        const older = asBefore(editor.add(before, part, materialOf(agent, ["ralph"])));
        expect(editor.add(older, part, material)).toBe(editor.add(before, part, material));
        expect(editor.remove(older, part, material)).toBe(before);
      }),
      { numRuns: 100 },
    );
  });
});

describe("hooks and server in one settings file", () => {
  it("are taken out again byte for byte", () => {
    const [hooks, server] = agentSetups.gemini.parts("project", places) as [Part, Part];
    const material = materialOf("gemini");
    fc.assert(
      fc.property(settingsDocument, (before) => {
        const after = serverEditor.add(
          (hooksEditor as PartEditor).add(before, hooks, material),
          server as Part & { kind: "mcp" },
          material,
        );
        const without = serverEditor.remove(after, server as Part & { kind: "mcp" }, material) ?? "";
        expect((hooksEditor as PartEditor).remove(without, hooks, material)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });
});

describe("settings that are written by hand", () => {
  const ownStop = { type: "command", command: "ralph hook claude Stop" };
  const claude = agentSetups.claude.parts("project", places)[0] as Part & { kind: "hooks" };
  const servers = agentSetups.cursor.parts("project", places)[0] as Part & { kind: "mcp" };

  it("keep their indentation and their comments", () => {
    const before = '{\n\t"permissions": { "allow": [] }, // mine\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n';
    const after = serverEditor.add(before, servers, materialOf("cursor"));
    expect(after).toBe(
      before.replace(
        "\n\t}\n}\n",
        '\n\t},\n\t"mcpServers": {\n\t\t"ralph": {\n\t\t\t"command": "ralph-memory",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t}\n}\n',
      ),
    );
  });

  it.each([
    [{ matcher: "", hooks: [{ type: "command", command: "echo first" }, ownStop] }],
    [{ matcher: "Bash", hooks: [ownStop] }],
    [{ hooks: [{ ...ownStop, async: true }] }],
    [{ hooks: [{ ...ownStop, command: "ralph hook claude Stop --quiet" }] }],
  ])("keep a hook of ours that somebody wrote by hand: %j", (group) => {
    const text = `${JSON.stringify({ hooks: { Stop: [group] } }, undefined, 2)}\n`;
    const after = hooksEditor.add(text, claude, materialOf("claude"));
    expect(JSON.parse(after).hooks.Stop).toEqual([group]);
    expect(Object.keys(JSON.parse(after).hooks)).toHaveLength(claude.events.length);
    expect(hooksEditor.add(after, claude, materialOf("claude"))).toBe(after);
    expect(hooksEditor.remove(after, claude, materialOf("claude"))).toBe(text);
  });

  it("keep the time that somebody gave to a hook, of an older version as well", () => {
    const slower = (text: string) =>
      text.replace(/("ralph-memory hook claude Stop; exit 0",\s*"timeout": )10/, "$125");
    const written = slower(hooksEditor.add(undefined, claude, materialOf("claude")));
    expect(written).toContain('"timeout": 25');
    expect(hooksEditor.add(written, claude, materialOf("claude"))).toBe(written);
    const elsewhere = ["/usr/bin/node", "/old place/ralph-memory/dist/cli/main.cjs"];
    const older = hooksEditor.add(written, claude, materialOf("claude", elsewhere));
    expect(older).not.toBe(written);
    expect(hooksEditor.add(older, claude, materialOf("claude"))).toBe(written);
    expect(hooksEditor.remove(written, claude, materialOf("claude"))).toBeUndefined();
  });

  it("call no hook twice for an event", () => {
    const written = JSON.parse(hooksEditor.add(undefined, claude, materialOf("claude")));
    const own = { matcher: "*", hooks: [ownStop] };
    const twice = { hooks: { ...written.hooks, Stop: [...written.hooks.Stop, own, ...written.hooks.Stop] } };
    const after = JSON.parse(hooksEditor.add(JSON.stringify(twice), claude, materialOf("claude")));
    expect(after.hooks).toEqual({ ...written.hooks, Stop: [own] });
  });

  it("lose hooks of ours for events that this version does not use", () => {
    const text =
      '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "ralph hook claude PreToolUse" }] }] } }';
    const after = JSON.parse(hooksEditor.add(text, claude, materialOf("claude")));
    expect(Object.keys(after.hooks)).toEqual(claude.events.map(({ name }) => name));
  });

  it("keep commands that only look like ours", () => {
    const command = (text: string) => ({ hooks: [{ type: "command", command: text }] });
    const text = JSON.stringify({
      hooks: {
        Stop: [
          "echo ralph hook claude Stop",
          "ralph hook codex Stop",
          "ralph hook claude Stop | tee log",
          "ralph-memory hook claude Stop; rm log; exit 0",
        ].map(command),
      },
    });
    expect(hooksEditor.remove(text, claude, materialOf("claude"))).toBe(text);
  });

  it.each([
    ['{\n  "hooks": {,}\n}', 2],
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ["// only a comment\n", 2],
    ['{ "a": "open\n}', 1],
    ['{\n  "hooks": []\n}', 2],
    ["{} trailing", 1],
  ])("are refused with their line when they are wrong: %j", (text, line) => {
    expect(() => hooksEditor.add(text, claude, materialOf("claude"))).toThrow(`line ${line}:`);
  });

  it.each([
    { command: "ralph", args: ["mcp", "--root", "/work/api"], env: { RALPH_HOME: "/x" } },
    { type: "stdio", command: "ralph", args: ["mcp"], env: {} },
    { command: "/old/ralph", args: ["mcp"], timeout: 5 },
    { command: "npx", args: ["-y", "ralph-memory", "mcp"] },
    { command: "sh", args: ["-c", "cd /work && exec ralph mcp"] },
  ])("keep a server of ours that somebody wrote by hand: %j", (server) => {
    for (const unit of [undefined, 2]) {
      const text = JSON.stringify({ mcpServers: { ralph: server } }, undefined, unit);
      expect(serverEditor.has(text, servers, materialOf("cursor"))).toBe(true);
      expect(serverEditor.add(text, servers, materialOf("cursor"))).toBe(text);
      expect(serverEditor.remove(text, servers, materialOf("cursor"))).toBe(text);
    }
  });

  it("keep a server that somebody put a comment into", () => {
    const text = '{ "mcpServers": { "ralph": { "command": "/a/ralph", /* mine */ "args": ["mcp"] } } }';
    expect(serverEditor.add(text, servers, materialOf("cursor"))).toBe(text);
    expect(serverEditor.remove(text, servers, materialOf("cursor"))).toBe(text);
  });

  it("are refused where another server has our name", () => {
    const text = '{\n  "mcpServers": {\n    "ralph": { "command": "other" }\n  }\n}';
    expect(() => serverEditor.add(text, servers, materialOf("cursor"))).toThrow("line 3:");
    expect(serverEditor.remove(text, servers, materialOf("cursor"))).toBe(text);
  });
});
