import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Part } from "../../src/setup/agent-files.js";
import { agentSetups } from "../../src/setup/agent-files.js";
import type { Material } from "../../src/setup/edit-parts.js";
import { parseToml } from "../../src/setup/formats/toml.js";
import { serverEditor } from "../../src/setup/server-editor.js";

const plain = (text: string) => JSON.parse(JSON.stringify(parseToml(text)));

describe("TOML", () => {
  it.each([
    ["a = 1\na = 2", 2],
    ["a = \n", 1],
    ["[a]\n[a]", 2],
    ["[a", 1],
  ])("is refused with its line: %j", (text, line) => {
    expect(() => parseToml(text)).toThrow(`line ${line}:`);
  });

  it("may be nested as deeply as anybody likes: it is refused, and does not end the program", () => {
    expect(() => parseToml(`a = ${"[".repeat(100_000)}`)).toThrow("line 1:");
  });
});

describe("the server in config.toml", () => {
  const part = agentSetups.codex
    .parts("project", { root: "/p", home: "/h", environment: {} })
    .find(({ kind }) => kind === "mcp") as Part & { kind: "mcp" };
  const materialOf = (words: string[]): Material => ({
    ...{ agent: "codex", skill: "", opencodePlugin: "" },
    program: { words, file: "", node: "", isByName: true },
  });
  const material = materialOf(["ralph-memory"]);
  const lines = fc.constantFrom("", "# note", 'a = "x"', "[projects.'/p']", 'trust_level = "trusted"', "  ");

  it("is taken out again byte for byte, also when something follows it by then", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(lines),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        (parts, lineEnd, isClosed) => {
          const before = parts.join(lineEnd) + (isClosed ? lineEnd : "");
          const after = serverEditor.add(before, part, material);
          expect(plain(after).mcp_servers).toEqual({ ralph: { command: "ralph-memory", args: ["mcp"] } });
          expect(serverEditor.add(after, part, material)).toBe(after);
          expect(serverEditor.remove(after, part, material)).toBe(before);
          if (!isClosed) return;
          const appended = `${after}${lineEnd}[later]${lineEnd}`;
          expect(serverEditor.remove(appended, part, material)).toBe(`${before}${lineEnd}[later]${lineEnd}`);
        },
      ),
    );
    expect(serverEditor.remove(serverEditor.add(undefined, part, material), part, material)).toBeUndefined();
  });

  it("replaces an older one in its place, and leaves one that codex mcp add wrote", () => {
    const older = `${serverEditor.add("a = 1\n", part, materialOf(["/bin/node", "/x/dist/cli/main.cjs"]))}\n[z]\n`;
    const newer = serverEditor.add(older, part, material);
    expect(newer).toContain('command = "ralph-memory"');
    expect(newer).not.toContain("/bin/node");
    expect(newer.endsWith("\n[z]\n")).toBe(true);
    const added = '[mcp_servers.ralph]\ncommand = "ralph-memory"\nargs = ["mcp"]\n';
    expect(serverEditor.add(added, part, material)).toBe(added);
    expect(serverEditor.add(added.replace("ralph-memory", "ralph"), part, material)).toBe(added);
  });

  it("is taken out also after Codex wrote its settings anew, with what was put below it", () => {
    const rewritten =
      'model = "x"\n\n[mcp_servers.ralph]\ncommand = "ralph"\nargs = ["mcp"]\n\n[mcp_servers.ralph.tools.recall]\napproval_mode = "approve"\n\n' +
      '[mcp_servers.other]\ncommand = "echo"\n# end\n';
    expect(serverEditor.remove(rewritten, part, material)).toBe(
      'model = "x"\n\n[mcp_servers.other]\ncommand = "echo"\n# end\n',
    );
  });

  it.each([
    'mcp_servers.ralph = { command = "ralph", args = ["mcp"] }\n',
    '[mcp_servers.ralph]\ncommand = "ralph"\nargs = ["mcp", "--root", "/work/api"]\n',
    '[mcp_servers.ralph]\ncommand = "ralph"\nargs = ["mcp"]\nstartup_timeout_sec = 30 # slow box\n',
    '[mcp_servers.ralph]\ncommand = "/old/ralph" # mine\nargs = ["mcp"]\n',
    '[mcp_servers.ralph]\ncommand = "/old/ralph"\nargs = ["mcp"]\n\n[mcp_servers.ralph.env]\nRALPH_HOME = "/x"\n',
    '[mcp_servers.ralph]\ncommand = "npx"\nargs = ["-y", "ralph-memory@1", "mcp"]\n',
  ])("stays byte for byte as somebody wrote it by hand: %j", (text) => {
    expect(serverEditor.has(text, part, material)).toBe(true);
    expect(serverEditor.add(text, part, material)).toBe(text);
    expect(serverEditor.remove(text, part, material)).toBe(text);
  });

  it("keeps what Codex was allowed when it is brought up to date", () => {
    const approval = '\n\n[mcp_servers.ralph.tools.recall]\napproval_mode = "approve"\n';
    const table = (command: string, args: string) =>
      `[mcp_servers.ralph]\ncommand = "${command}"\nargs = [${args}]${approval}`;
    const older = table("/bin/node", '"/x/dist/cli/main.cjs", "mcp"');
    expect(serverEditor.add(older, part, material)).toBe(table("ralph-memory", '"mcp"'));
  });

  it.each([
    ["", "\ntools.recall.approval_mode = 'approve'\n"],
    ["tools = { recall = { approval_mode = 'approve' } }\n", "\n\n[z]\n"],
    ["\n", "\n\n\n[mcp_servers.ralph.tools.recall] # mine\r\napproval_mode='approve'"],
  ])("keeps it byte for byte also inside of its table, before %j and behind %j", (before, behind) => {
    const table = (command: string, args: string) =>
      `[ mcp_servers.ralph ]\n${before}command="${command}"\nargs   = [${args}]${behind}`;
    const older = table("/bin/node", '\n  "/x/dist/cli/main.cjs",\n  "mcp",\n');
    const newer = serverEditor.add(older, part, material);
    expect(newer).toBe(table("ralph-memory", '"mcp"'));
    expect(plain(serverEditor.remove(newer, part, material) ?? "").mcp_servers).toBeUndefined();
  });

  it("is not taken for text inside of a string that reads like its table", () => {
    const before =
      'instructions = """\n[mcp_servers.ralph]\ncommand = "x"\n"""\nnote = \'\'\'\n[other]\n\'\'\'\n';
    const after = serverEditor.add(before, part, material);
    expect(plain(after).mcp_servers).toEqual({ ralph: { command: "ralph-memory", args: ["mcp"] } });
    expect(serverEditor.add(after, part, material)).toBe(after);
    expect(serverEditor.remove(after, part, material)).toBe(before);
    const older = serverEditor.add(before, part, materialOf(["/bin/node", "/x/dist/cli/main.cjs"]));
    expect(serverEditor.add(older, part, material)).toBe(after);
  });

  it.each([
    ['a = """\nmcp_servers\n"""\n[[mcp_servers]]\ncommand = "x"\n', 4, "mcp_servers is a list"],
    ["mcp_servers = [{ command = 'x' }]\n", 1, "mcp_servers is a list"],
    ['mcp_servers = { other = { command = "x" } }\n', 1, "mcp_servers is one value in braces"],
    ['\nmcp_servers = "none"\n', 2, "mcp_servers is no table"],
    ['a = 1\n[mcp_servers.ralph]\ncommand = "x"\n', 2, 'another server is already named "ralph"'],
  ])("is refused with what is true where it cannot be added: %j", (text, line, reason) => {
    expect(() => serverEditor.add(text, part, material)).toThrow(`line ${line}: ${reason}`);
    expect(serverEditor.remove(text, part, material)).toBe(text);
  });

  it("fits beside what Codex's own settings hold", () => {
    const text = readFileSync(`${import.meta.dirname}/../fixtures/setup/codex-config.toml`, "utf8");
    expect(serverEditor.remove(serverEditor.add(text, part, material), part, material)).toBe(text);
  });
});
