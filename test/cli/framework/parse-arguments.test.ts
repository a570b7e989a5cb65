import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Command, defineCommand } from "../../../src/cli/framework/command.js";
import { checkWords, globalOptions, splitWords } from "../../../src/cli/framework/parse-arguments.js";

const command: Command = defineCommand({
  summary: "a command with an option of each kind",
  arguments: [
    { name: "first", summary: "the one that is needed" },
    { name: "second", summary: "another one", isOptional: true },
  ],
  options: {
    type: { kind: "text", short: "t", values: ["pattern", "decision", "fix"], summary: "of known words" },
    note: { kind: "text", summary: "any text" },
    limit: { kind: "number", short: "n", summary: "a number" },
    tags: { kind: "list", summary: "words with commas" },
    kinds: { kind: "list", values: ["task", "note"], summary: "known words with commas" },
    verify: { kind: "texts", summary: "given several times" },
    since: { kind: "text", bareValue: "today", summary: "may stand alone" },
    force: { kind: "flag", short: "f", summary: "on or off" },
    "no-wait": { kind: "flag", summary: "a flag that says no" },
  },
  formats: ["table", "json", "quiet"],
  examples: [],
  run: async () => 0,
});

const parse = (...argv: string[]) =>
  checkWords(command, splitWords(argv, { ...command.options, ...globalOptions }));
const optionsOf = (...argv: string[]) => parse("x", ...argv).options;

const refusal = (...argv: string[]) => {
  try {
    parse(...argv);
  } catch (error) {
    return error;
  }
  throw new Error(`${JSON.stringify(argv)} was not refused`);
};

describe("words", () => {
  it("become arguments, wherever options stand", () => {
    expect(parse("one", "--force", "two").arguments).toEqual(["one", "two"]);
    expect(parse("--limit", "3", "one").arguments).toEqual(["one"]);
    expect(parse("-").arguments).toEqual(["-"]);
    expect(parse("").arguments).toEqual([""]);
  });

  it("are all arguments behind two dashes, whatever they look like", () => {
    const parsed = parse("--force", "--", "--type", "--");
    expect(parsed.arguments).toEqual(["--type", "--"]);
    expect(parsed.options).toMatchObject({ force: true, type: undefined });
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 2 }), (words) => {
        expect(parse("--", ...words).arguments).toEqual(words);
      }),
    );
  });

  it("are refused when one is missing, or one is too many", () => {
    expect(refusal()).toMatchObject({ code: "wrong-use", message: expect.stringContaining("<first>") });
    expect(refusal("--force")).toMatchObject({ message: expect.stringContaining("<first>") });
    expect(refusal("a", "b", "c d")).toMatchObject({
      code: "wrong-use",
      message: expect.stringContaining("c d"),
    });
  });

  it("are as many as there are where the last argument is repeated", () => {
    const many: Command = { ...command, arguments: [{ name: "id", summary: "each", isRepeated: true }] };
    expect(checkWords(many, splitWords(["a", "b", "c"], {})).arguments).toEqual(["a", "b", "c"]);
    expect(() => checkWords(many, splitWords([], {}))).toThrow(/<id>/);
  });
});

describe("options", () => {
  it("that are not given are absent, and flags are off", () => {
    expect(optionsOf()).toEqual({ force: false, "no-wait": false });
  });

  it("take the next word, or what stands behind the equals sign", () => {
    expect(optionsOf("--note", "a b")).toMatchObject({ note: "a b" });
    expect(optionsOf("--note=a=b")).toMatchObject({ note: "a=b" });
    expect(optionsOf("--note=")).toMatchObject({ note: "" });
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(optionsOf(`--note=${text}`)).toMatchObject({ note: text });
        expect(optionsOf("--note", text)).toMatchObject({ note: text });
      }),
    );
  });

  it("do not take another option for their value, unless it stands behind the equals sign", () => {
    for (const next of ["--force", "--json", "--note=x"])
      expect(refusal("x", "--note", next)).toMatchObject({
        message: "--note needs a value",
        hint: `--note=${next} takes ${next} as its value`,
      });
    expect(optionsOf("--note", "--fast", "--verify", "-1")).toMatchObject({ note: "--fast", verify: ["-1"] });
    expect(optionsOf("--note=--force")).toMatchObject({ note: "--force", force: false });
  });

  it("have short names, which take the next word", () => {
    expect(optionsOf("-t", "fix", "-f", "-n", "5")).toMatchObject({ type: "fix", force: true, limit: 5 });
  });

  it.each([["-t=fix"], ["-tfix"], ["-fn"], ["-T", "fix"]])("have no other short form: %s", (...argv) => {
    expect(refusal("x", ...argv)).toMatchObject({ message: `Unknown option: ${argv[0]}` });
  });

  it("count the last time when they are given again", () => {
    expect(optionsOf("--note", "a", "-n", "1", "--limit=2", "--note=b")).toMatchObject({
      note: "b",
      limit: 2,
    });
    expect(optionsOf("--force", "-f")).toMatchObject({ force: true });
  });

  it("that need a value are refused without one", () => {
    for (const flag of ["--note", "-t", "--limit", "--tags", "--verify"])
      expect(refusal("x", flag)).toMatchObject({ code: "wrong-use", message: `${flag} needs a value` });
  });

  it("may stand alone where they have a value for that", () => {
    expect(optionsOf("--since")).toMatchObject({ since: "today" });
    expect(optionsOf("--since", "--force")).toMatchObject({ since: "today", force: true });
    expect(optionsOf("--since", "yesterday")).toMatchObject({ since: "yesterday" });
    expect(optionsOf("--since=")).toMatchObject({ since: "" });
  });

  it("that are not known are refused, with the nearest that is", () => {
    expect(refusal("x", "--tag", "a")).toMatchObject({
      code: "wrong-use",
      message: "Unknown option: --tag",
      hint: expect.stringContaining("did you mean --tags?"),
    });
    expect(refusal("x", "--q")).not.toMatchObject({ hint: expect.stringContaining("did you mean") });
    for (const name of ["constructor", "__proto__", "toString"])
      expect(refusal("x", `--${name}`)).toMatchObject({ message: `Unknown option: --${name}` });
  });
});

describe("flags", () => {
  it("take no value", () => {
    expect(refusal("x", "--force=yes")).toMatchObject({ message: "--force takes no value" });
    expect(parse("--force", "x")).toMatchObject({ arguments: ["x"], options: { force: true } });
  });

  it("say no only where they are called so", () => {
    expect(optionsOf("--no-wait")).toMatchObject({ "no-wait": true });
    expect(refusal("x", "--no-force")).toMatchObject({ message: "Unknown option: --no-force" });
  });
});

describe("numbers", () => {
  it.each([
    ["0", 0],
    ["007", 7],
    ["999999999999999", 999_999_999_999_999],
  ])("are whole: %s", (text, value) => {
    expect(optionsOf("--limit", text)).toMatchObject({ limit: value });
  });

  it.each(["-5", "+5", "1.5", "1e3", "0x10", "many", "", " 1", "1 ", "٣", "1000000000000000"])(
    "are not %j",
    (text) => {
      for (const argv of [["--limit", text], [`--limit=${text}`]])
        expect(refusal("x", ...argv)).toMatchObject({
          code: "wrong-use",
          message: expect.stringMatching(/^--limit takes a whole number/),
        });
    },
  );
});

describe("words of a list", () => {
  it("stand between commas or in several options, without the blanks around them", () => {
    expect(optionsOf("--tags", "a, b c ,,d", "--tags=e")).toMatchObject({ tags: ["a", "b c", "d", "e"] });
    expect(optionsOf("--tags", "")).toMatchObject({ tags: [] });
  });

  it("are each one of the known ones, where these are known", () => {
    expect(optionsOf("--kinds", "task,note")).toMatchObject({ kinds: ["task", "note"] });
    expect(refusal("x", "--kinds", "task,nots")).toMatchObject({
      message: "Unknown kinds: nots",
      hint: expect.stringContaining('did you mean "note"?'),
    });
    expect(refusal("x", "--kinds", " , ")).toMatchObject({ message: "--kinds needs a value" });
  });

  it("are not split where each is a text of its own", () => {
    expect(optionsOf("--verify", "echo a, b", "--verify=")).toMatchObject({ verify: ["echo a, b", ""] });
  });
});

describe("a word that must be known", () => {
  it("is refused when it is not, with the nearest, and all of them", () => {
    expect(refusal("x", "--type", "fixx")).toMatchObject({
      code: "wrong-use",
      message: "Unknown type: fixx",
      hint: expect.stringMatching(/did you mean "fix"\?.*pattern, decision, fix/),
    });
    expect(refusal("x", "--type", "")).toMatchObject({ message: "Unknown type: " });
    expect(refusal("x", "--type", "Fix")).toMatchObject({ hint: expect.stringContaining('"fix"') });
  });
});

describe("the format", () => {
  it("is the command's first, unless it is said", () => {
    expect(parse("x").format).toBe("table");
    expect(parse("x", "--format", "quiet").format).toBe("quiet");
    expect(parse("x", "--json").format).toBe("json");
    expect(parse("x", "--json", "--format", "quiet").format).toBe("json");
  });

  it("is one that the command has", () => {
    expect(refusal("x", "--format", "markdown")).toMatchObject({ message: "Unknown format: markdown" });
    const plain: Command = { ...command, formats: ["table"] };
    expect(() => checkWords(plain, splitWords(["x", "--json"], globalOptions))).toThrow(
      /Unknown format: json/,
    );
  });
});

describe("the folder to work in", () => {
  it("is none unless it is said, and the last one that is", () => {
    expect(parse("x").root).toBeUndefined();
    expect(parse("x", "--root", "a", "--root=b").root).toBe("b");
  });
});
