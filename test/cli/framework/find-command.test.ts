import { describe, expect, it } from "vitest";
import {
  type CommandGroup,
  type CommandTree,
  commandTree,
} from "../../../src/cli/framework/command-table.js";
import { findCommand } from "../../../src/cli/framework/find-command.js";

const find = async (...argv: string[]) => {
  const { path, rest, command } = await findCommand(argv);
  return { path: path.join(" "), rest, is: command === undefined ? "group" : "command" };
};

describe("a command line", () => {
  it.each<[string[], string, string[]]>([
    [["doctor"], "doctor", []],
    [["memory", "add", "a note"], "memory add", ["a note"]],
    [["memory", "add", "--", "--help"], "memory add", ["--", "--help"]],
    [["memory", "add", "memory", "add"], "memory add", ["memory", "add"]],
    [["recall", "help"], "recall", ["help"]],
  ])("%j is a command with the words behind its name", async (argv, path, rest) => {
    expect(await find(...argv)).toEqual({ path, rest, is: "command" });
  });

  it("may have options that every command takes before and between the words of its name", async () => {
    expect(
      await find("--root", "doctor", "--json", "memory", "--format=json", "list", "--last", "3"),
    ).toEqual({
      path: "memory list",
      rest: ["--root", "doctor", "--json", "--format=json", "--last", "3"],
      is: "command",
    });
    expect(await find("--root=memory", "doctor")).toMatchObject({ path: "doctor", rest: ["--root=memory"] });
  });

  it("that ends early is a group, or nothing but ralph itself", async () => {
    expect(await find("memory")).toEqual({ path: "memory", rest: [], is: "group" });
    expect(await find()).toEqual({ path: "", rest: [], is: "group" });
    expect(await find("--root")).toEqual({ path: "", rest: ["--root"], is: "group" });
    expect(await find("--json", "memory", "-h")).toEqual({
      path: "memory",
      rest: ["--json", "-h"],
      is: "group",
    });
  });

  it("asks for help with a word, too, before the name is complete", async () => {
    expect(await find("help")).toEqual({ path: "", rest: ["--help"], is: "group" });
    expect(await find("help", "memory", "add")).toEqual({
      path: "memory add",
      rest: ["--help"],
      is: "command",
    });
    expect(await find("memory", "help")).toEqual({ path: "memory", rest: ["--help"], is: "group" });
  });
});

describe("a group that is a command by itself", () => {
  it("takes the words that are none of its commands", async () => {
    expect(await find("history")).toEqual({ path: "history", rest: [], is: "command" });
    expect(await find("history", "task-001", "--json")).toEqual({
      path: "history",
      rest: ["task-001", "--json"],
      is: "command",
    });
    expect(await find("--json", "history", "--archived")).toMatchObject({
      path: "history",
      rest: ["--json", "--archived"],
    });
  });

  it("leaves its commands their names", async () => {
    expect(await find("history", "archive")).toEqual({ path: "history archive", rest: [], is: "command" });
    expect(await find("history", "help")).toEqual({ path: "history", rest: ["--help"], is: "command" });
    expect(await find("history", "--json", "archive")).toMatchObject({
      path: "history",
      rest: ["--json", "archive"],
    });
  });
});

describe("a command that is not there", () => {
  it.each<[string[], string, string | undefined]>([
    [["memroy"], "ralph memroy", "memory"],
    [["memory", "serch"], "ralph memory serch", "search"],
    [["--json", "taks", "init"], "ralph taks", "task"],
    [["version"], "ralph version", "--version"],
    [["memory", "xyzzyx"], "ralph memory xyzzyx", undefined],
    [[""], "ralph ", undefined],
    [["constructor"], "ralph constructor", undefined],
    [["memory", "__proto__"], "ralph memory __proto__", undefined],
  ])("is refused: %j", async (argv, name, meant) => {
    const hint =
      meant === undefined ? expect.not.stringContaining("did you mean") : `did you mean "${meant}"?`;
    await expect(findCommand(argv)).rejects.toMatchObject({
      code: "wrong-use",
      message: `Unknown command: ${name}`,
      hint: typeof hint === "string" ? expect.stringContaining(hint) : hint,
    });
  });
});

describe("the tree of commands", () => {
  const paths = (tree: CommandTree, above: string[] = []): string[][] =>
    Object.entries(tree).flatMap(([word, entry]) =>
      typeof entry === "function"
        ? [[...above, word]]
        : paths((entry as CommandGroup).commands, [...above, word]),
    );

  it("finds every command of it by its name", async () => {
    for (const path of paths(commandTree)) {
      expect(await find(...path)).toEqual({ path: path.join(" "), rest: [], is: "command" });
    }
  });

  it("has no command that is called as asking for help is", () => {
    expect(paths(commandTree).flat()).not.toContain("help");
  });
});
