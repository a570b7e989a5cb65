import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { setInFile, unsetInFile } from "../../../src/config/editing/edit-settings-file.js";
import { scratchFolder } from "../../support/scratch.js";

let path: string;
const write = (text: string) => writeFileSync(path, text);
const text = () => readFileSync(path, "utf8");

beforeEach(() => {
  path = join(scratchFolder(), "ralph.yml");
});

describe("a setting in a file", () => {
  it("is changed where it stands, and every other byte stays", async () => {
    write(
      "# ours\r\nmemories:   # notes\r\n    budget:  2000   # tokens\r\n    inject: 'auto'\r\nother_tool: {a: 1}\r\n",
    );
    expect(await setInFile(path, "memories.budget", 3000)).toBe(true);
    expect(text()).toBe(
      "# ours\r\nmemories:   # notes\r\n    budget:  3000   # tokens\r\n    inject: 'auto'\r\nother_tool: {a: 1}\r\n",
    );
    expect(await setInFile(path, "memories.budget", 3000)).toBe(false);
  });

  it("is added to its block with the block's indent, or with a block of its own", async () => {
    write("memories:\n   budget: 2000 # tokens\n\n# the rest\nrun:\n  agent: codex");
    await setInFile(path, "memories.filter.types", ["fix", "pattern"]);
    await setInFile(path, "run.attempts", 2);
    await setInFile(path, "recall.budget", 100);
    expect(text()).toBe(
      'memories:\n   budget: 2000 # tokens\n   filter:\n     types: ["fix", "pattern"]\n\n# the rest\nrun:\n  agent: codex\n  attempts: 2\nrecall:\n  budget: 100\n',
    );
  });

  it("makes a file, and fills a block that has nothing yet", async () => {
    expect(await setInFile(path, "memories.inject", "none")).toBe(true);
    expect(text()).toBe("memories:\n  inject: none\n");
    write("# only a comment\nmemories:\n");
    await setInFile(path, "memories.budget", 5);
    expect(text()).toBe("# only a comment\nmemories:\n  budget: 5\n");
  });

  it.each([
    ["run.verify", ["npm test -- --run", 'echo "a, b"']],
    ["run.agent", "on"],
    ["run.agent", "a: b # c"],
    ["run.timeout", "10m"],
    ["memories.enabled", false],
  ] as const)("%s is read back as %j", async (key, value) => {
    write("memories:\n  budget: 1\n");
    await setInFile(path, key, value);
    // The editor itself checks that it is read as it was meant.
    expect(await setInFile(path, key, value)).toBe(false);
  });

  it("replaces lists and long texts of several lines", async () => {
    write("run:\n  verify:\n    - npm test\n    - npm run lint # slow\n  agent: codex\n");
    await setInFile(path, "run.verify", ["make"]);
    expect(text()).toBe('run:\n  verify:\n    ["make"]\n  agent: codex\n');
  });

  it("is taken out again, with the blocks that were made for it", async () => {
    const before = "# ours\nmemories:\n  # keep it small\n  budget: 2000\nother: 1\n";
    write(before);
    await setInFile(path, "memories.filter.recent", 7);
    await setInFile(path, "run.agent", "codex");
    expect(await unsetInFile(path, "run.agent")).toBe(true);
    expect(await unsetInFile(path, "memories.filter.recent")).toBe(true);
    expect(text()).toBe(before);
    expect(await unsetInFile(path, "memories.filter.recent")).toBe(false);
    expect(await unsetInFile(path, "memories.budget")).toBe(true);
    expect(text()).toBe("# ours\nmemories:\n  # keep it small\nother: 1\n");
  });

  it("knows the short form of a block", async () => {
    write("embedder: minilm\n");
    await setInFile(path, "embedder.use", "none");
    expect(text()).toBe("embedder: none\n");
  });

  it.each(["memories: {budget: 1}\n", "memories: [", "- a\n", "memories: &a\n  budget: 1\nother: *a\n"])(
    "leaves what it cannot change without touching more: %j",
    async (unusual) => {
      write(unusual);
      await expect(setInFile(path, "memories.inject", "none")).rejects.toMatchObject({
        code: "file-unusable",
      });
      expect(text()).toBe(unusual);
    },
  );

  it("is not changed in a file whose bytes could not be written back", async () => {
    const bytes = Buffer.from("# caf\xe9\nmemories:\n  budget: 1\n", "latin1");
    writeFileSync(path, bytes);
    await expect(setInFile(path, "memories.budget", 2)).rejects.toThrow(/it is not text in UTF-8/);
    expect(readFileSync(path)).toEqual(bytes);
  });

  it("does not follow a link that leads out of the project", async () => {
    const elsewhere = join(scratchFolder(), "other.yml");
    writeFileSync(elsewhere, "memories:\n  budget: 1\n");
    symlinkSync(elsewhere, path);
    await expect(setInFile(path, "memories.budget", 2, { within: [join(path, "..")] })).rejects.toMatchObject(
      { code: "not-trusted" },
    );
    expect(text()).toBe("memories:\n  budget: 1\n");
  });
});
