import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder, scratchRepository } from "../support/scratch.js";
import { projectRoot } from "../support/source-imports.js";

interface Sample {
  name: string;
  code: string;
  isRun: boolean;
}

/** The samples of the page, each named after the heading above it. */
function readSamples(): Sample[] {
  const page = readFileSync(join(projectRoot, "docs/library.md"), "utf8");
  let heading = "";
  return [...page.matchAll(/^## (.+)$|^```ts( no-run)?\n([\s\S]*?)^```$/gm)].flatMap(
    ([, title, noRun, code]) => {
      if (title !== undefined) heading = title;
      return code === undefined ? [] : [{ name: heading, code, isRun: noRun === undefined }];
    },
  );
}

const samples = readSamples();

/** A folder in which `ralph-memory` is installed. */
function install(folder: string): void {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(projectRoot, join(folder, "node_modules", "ralph-memory"));
}

describe("the samples of docs/library.md", () => {
  it("are all the groups of the library, and one of the loop", () => {
    for (const group of ["notes", "tasks", "learnings", "links", "skills", "working", "recall", "metrics"])
      expect(samples.map(({ code }) => code).join("\n")).toMatch(
        new RegExp(`memory\\.${group}\\b|{ ${group} }`),
      );
    expect(samples.some(({ code }) => code.includes("ralph-memory/loop"))).toBe(true);
  });

  it("are right by their types", () => {
    const folder = scratchFolder();
    install(folder);
    symlinkSync(join(projectRoot, "node_modules/@types"), join(folder, "node_modules/@types"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const options = { module: "nodenext", target: "esnext", lib: ["esnext"], strict: true, noEmit: true };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: { ...options, types: ["node"], skipLibCheck: true },
        include: ["*.ts"],
      }),
    );
    for (const [index, { code }] of samples.entries())
      writeFileSync(join(folder, `sample-${index}.ts`), code);
    const { stdout } = spawnSync(
      process.execPath,
      [join(projectRoot, "node_modules/typescript/bin/tsc"), "--project", folder],
      { encoding: "utf8" },
    );
    expect(stdout).toBe("");
  });

  it("print what the page says", () => {
    const root = scratchRepository();
    install(root);
    for (const [index, { name, code, isRun }] of samples.entries()) {
      if (!isRun) continue;
      const file = join(root, `sample-${index}.mjs`);
      writeFileSync(file, code);
      const printed = execFileSync(process.execPath, [file], {
        cwd: root,
        env: { ...process.env, RALPH_HOME: join(root, ".home") },
        encoding: "utf8",
      });
      const expected = [...code.matchAll(/^\s*\/\/ → (.*)$/gm)].map(([, line]) => line);
      expect({ name, printed: printed.trim().split("\n") }).toEqual({ name, printed: expected });
    }
  });
});
