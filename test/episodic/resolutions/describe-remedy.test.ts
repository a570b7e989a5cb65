import { describe, expect, it } from "vitest";
import { describeRemedy, remedyGist } from "../../../src/episodic/resolutions/describe-remedy.js";
import { edits, runs } from "./work-samples.js";

const patched = (patch: string) => ({ ...edits("x"), tool: "apply_patch", params: { input: patch } });

describe("what helped, as advice", () => {
  it.each([
    ["a command", [runs("docker compose up -d redis")], "run `docker compose up -d redis`"],
    [
      "a changed line, with its file",
      [edits("src/routes.ts", "app.get(path, show);", "app.get(path, guard, show);")],
      "change `app.get(path, show);` to `app.get(path, guard, show);` in src/routes.ts",
    ],
    [
      "an added line",
      [edits("src/routes.ts", "import a;\n", "import a;\nimport b;\n")],
      "add `import b;` in src/routes.ts",
    ],
    ["a removed line", [edits("a.ts", "one();\ntwo();", "one();")], "remove `two();` in a.ts"],
    ["an edit that tells nothing more", [edits("a.ts", undefined, "")], "remove `one` in a.ts"],
    [
      "the reason first, if there is one",
      [edits("a.ts", "sum", "round(sum)", "Round to cents at the end.")],
      "Round to cents at the end (change `sum` to `round(sum)` in a.ts)",
    ],
    [
      "no words that only announce a step",
      [edits("a.ts", "sum", "round(sum)", "Looking at the test output. I'll fix it:")],
      "change `sum` to `round(sum)` in a.ts",
    ],
    [
      "what is told beside them",
      [edits("a.ts", "sum", "round(sum)", "Binary fractions show up in the sum. Let me round it:")],
      "Binary fractions show up in the sum (change `sum` to `round(sum)` in a.ts)",
    ],
    [
      "an announcement that tells why",
      [runs("make deps"), edits("a.ts", "sum", "cents", "I'll count cents because fractions add up.")],
      "run `make deps`, then I'll count cents because fractions add up (change `sum` to `cents` in a.ts)",
    ],
    [
      "nothing about a secret",
      [edits("a.ts", "sum", "round(sum)", "The password is [redacted:password], so it works")],
      "change `sum` to `round(sum)` in a.ts",
    ],
    [
      "several steps in their order",
      [edits("schema.prisma", "name String", "name String?"), runs("npx prisma generate")],
      "change `name String` to `name String?` in schema.prisma, then run `npx prisma generate`",
    ],
    [
      "the script that a command is given",
      [runs("python3 - <<'EOF'\np = 'app/search.py'\nreplace(p, 'ttl=3600', 'ttl=5')\nEOF")],
      "run `python3 - <<'EOF' p = 'app/search.py' replace(p, 'ttl=3600', 'ttl=5') EOF`",
    ],
    ["a step once", [runs("make deps"), runs("make deps")], "run `make deps`"],
    [
      "a patch",
      [patched("*** Begin Patch\n*** Update File: go.mod\n-go 1.20\n+go 1.22\n*** End Patch")],
      "change `go 1.20` to `go 1.22` in go.mod",
    ],
    [
      "a patch that a hook of Codex names the command",
      [
        {
          ...edits("x"),
          tool: "apply_patch",
          params: { command: "*** Begin Patch\n*** Update File: go.mod\n-go 1.20\n+go 1.22\n*** End Patch" },
        },
      ],
      "change `go 1.20` to `go 1.22` in go.mod",
    ],
    [
      "code with backticks in other quotation marks",
      [edits("a.ts", "`x`", "`y`")],
      "change “`x`” to “`y`” in a.ts",
    ],
  ])("says %s", (_what, actions, text) => {
    expect(describeRemedy(actions)).toBe(text);
  });

  it("does not name the file of the failure, which is another one next time", () => {
    const failure = { file: "src/labels.ts", message: "Not all code paths return a value." };
    const edit = edits("/home/ann/app/src/labels.ts", "(req, res) => {", "(req, res): void => {");
    expect(describeRemedy([edit], failure)).toBe("change `(req, res) => {` to `(req, res): void => {`");
  });

  it("says nothing about nothing", () => {
    expect(describeRemedy([])).toBeUndefined();
  });

  it("keeps long text short, around what differs", () => {
    const line = `${"common words in front ".repeat(12)}`;
    const text = describeRemedy([edits("a.ts", `${line}ends here`, `${line}goes on`)]) ?? "";
    expect(text.length).toBeLessThan(300);
    expect(text).toContain("ends here");
    expect(text).toContain("goes on");
  });
});

describe("the gist of a remedy", () => {
  it("is the same for the same change in other files, and for the same command with other numbers", () => {
    const inOne = edits("src/labels.ts", "async (req, res) => {", "async (req, res): Promise<void> => {");
    const inOther = edits(
      "src/users.ts",
      "async (query, res) => {",
      "async (query, res): Promise<void> => {",
    );
    expect(remedyGist([inOne])).toBe(remedyGist([inOther]));
    expect(remedyGist([runs("kill 4711")])).toBe(remedyGist([runs("kill 815")]));
  });

  it("differs where other words are added, or another command or script is run", () => {
    const script = (line: string) => remedyGist([runs(`python3 - <<'EOF'\n${line}\nEOF`)]);
    expect(script("migrate()")).not.toBe(script("seed()"));
    expect(remedyGist([edits("a.ts", "x", "x ?? 0")])).not.toBe(
      remedyGist([edits("a.ts", "x", "Number(x)")]),
    );
    expect(remedyGist([runs("make deps")])).not.toBe(remedyGist([runs("make clean")]));
  });

  it("does not depend on the order of the steps", () => {
    const [one, other] = [runs("make deps"), edits("go.mod", "1.20", "1.22")];
    expect(remedyGist([one, other])).toBe(remedyGist([other, one]));
  });
});
