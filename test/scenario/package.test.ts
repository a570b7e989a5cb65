import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { version } from "../../src/version.js";
import { copyNeededPackages } from "../support/copy-build.js";
import { ralphEnvironment } from "../support/run-ralph.js";
import { scratchFolder } from "../support/scratch.js";

const root = resolve(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

describe("the package", () => {
  it("tells its own version", () => {
    expect(version).toBe(manifest.version);
  });

  it("works from where npm puts it: the command, the library, and what they need", () => {
    const project = scratchFolder();
    const tarballs = scratchFolder();
    const npm = (cwd: string, ...args: string[]) =>
      execFileSync("npm", args, {
        cwd,
        encoding: "utf8",
        env: ralphEnvironment(project),
        stdio: ["ignore", "pipe", "pipe"],
      });
    npm(root, "pack", "--ignore-scripts", "--pack-destination", tarballs);
    const [tarball = ""] = readdirSync(tarballs);
    const installed = join(project, "node_modules", manifest.name);
    mkdirSync(installed, { recursive: true });
    execFileSync("tar", ["-xzf", join(tarballs, tarball), "-C", installed, "--strip-components=1"]);
    copyNeededPackages(project);
    const run = (file: string, ...args: string[]) =>
      execFileSync(process.execPath, [file, ...args], {
        cwd: project,
        encoding: "utf8",
        env: ralphEnvironment(project),
      });
    for (const name of ["ralph", "ralph-memory"]) {
      symlinkSync(join(installed, manifest.bin[name]), join(project, name));
      expect(run(name, "--version")).toBe(`${version}\n`);
    }
    expect(run("ralph-memory", "memory", "add", "installed")).toMatch(/^📝 Memory stored/);
    writeFileSync(
      join(project, "use.mjs"),
      'import { openMemory } from "ralph-memory";\nconst memory = await openMemory();\nconsole.log((await memory.notes.list())[0].content);\nawait memory.close();\n',
    );
    expect(run("use.mjs")).toBe("installed\n");
    const launcher = join(installed, "plugins/claude/plugins/ralph-memory/bin/ralph-memory");
    expect(statSync(launcher).mode & 0o111).toBe(0o111);
    expect(readdirSync(installed).sort()).toEqual(
      [
        "AGENTS.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "README.md",
        "SECURITY.md",
        "THIRD-PARTY.md",
        "dist",
        "docs",
        "man",
        "package.json",
        "plugins",
      ].sort(),
    );
  });

  it("has types that need no others", () => {
    const folder = scratchFolder();
    writeFileSync(
      join(folder, "use.ts"),
      'import { type Memory, openMemory, type StoredNote } from "ralph-memory";\nconst memory: Memory = await openMemory();\nconst notes: StoredNote[] = await memory.notes.search({ text: "x", types: ["fix"] });\nnotes.at(0)?.content.trim();\n',
    );
    const options = {
      target: "es2023",
      lib: ["es2023"],
      module: "esnext",
      moduleResolution: "bundler",
      types: [],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      paths: { [manifest.name]: [join(root, manifest.types)] },
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, files: ["use.ts"] }),
    );
    expect(() =>
      execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], {
        encoding: "utf8",
      }),
    ).not.toThrow();
  });
});
