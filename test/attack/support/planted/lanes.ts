import { execFileSync } from "node:child_process";
import { chmodSync, lchownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildCopy } from "../../../support/copy-build.js";
import { triedCommands } from "./commands.js";
import { type FolderPrint, printFolder } from "./folder-print.js";
import { type MeasuredRun, runMeasured } from "./measured-run.js";
import { plantedPaths } from "./paths.js";

/** A project at a place of its own, which is put back as it was before each command, beside files that nothing may touch. */
export interface Lane {
  folder: string;
  project: string;
  /** The user's home, which is not Ralph's. */
  outside: string;
  pipe: string;
  socket: string;
  /** Whose all of it is; undefined for who runs the tests. */
  uid: number | undefined;
  build: BuildCopy;
  /** Of its project; in each lane the same ones, though some of their names have a time in them. */
  paths: readonly string[];
}

/** Stands in every file outside: whatever shows it has read one. */
export const outsideWord = "kumquat-outside-7391";

/** So that no agent which happens to be installed is started. */
const systemPath = "/usr/bin:/bin";

/** What may change. */
const ownNames = ["project", "home", "stranger", "tmp", "code"];

/** As root everything can be read, and nothing is anybody else's: then a user without rights stands for the user. */
const nobody = 65534;

export async function makeLane(folder: string, build: BuildCopy): Promise<Lane> {
  const lane: Lane = {
    ...{ folder, build, paths: [], uid: process.getuid?.() === 0 ? nobody : undefined },
    project: join(folder, "project"),
    outside: join(folder, "outside"),
    pipe: join(`${folder}-kept`, "pipe"),
    socket: join(`${folder}-kept`, "socket"),
  };
  for (const name of [...ownNames, "outside"]) mkdirSync(join(folder, name), { mode: 0o700 });
  own(lane, folder);
  for (const name of homes) shareCode(lane, name);
  await fillProject(lane);
  fillOutside(lane);
  own(lane, folder);
  mkdirSync(join(`${folder}-kept`));
  makeThings(lane);
  for (const name of ["project", "home", "outside"]) copy(join(folder, name), join(`${folder}-kept`, name));
  lane.paths = plantedPaths(lane.project);
  // So that each command is compiled once.
  for (const { args, input } of triedCommands) await runIn(lane, args, { input: input?.(lane) ?? "" });
  return lane;
}

function shareCode({ folder, uid }: Lane, home: Home): void {
  const link = join(folder, home, "cache");
  symlinkSync(join(folder, "code"), link);
  if (uid !== undefined) lchownSync(link, uid, uid);
}

/** Gives what the test itself made to the lane's user. */
export function own({ uid }: Lane, folder: string): void {
  if (uid !== undefined) execFileSync("chown", ["-hR", `${uid}:${uid}`, folder]);
}

/** With owners, modes and times. */
function copy(from: string, to: string): void {
  execFileSync("cp", ["-a", from, to]);
}

/** As it was made. Ralph knows the project if it has the home that it was made with. */
export function restoreLane(lane: Lane): void {
  const { folder, uid } = lane;
  for (const name of ["project", "tmp", ...homes])
    rmSync(join(folder, name), { recursive: true, force: true });
  for (const name of ["project", "home"]) copy(join(`${folder}-kept`, name), join(folder, name));
  for (const name of ["stranger", "tmp"]) {
    mkdirSync(join(folder, name), { mode: 0o700 });
    if (uid !== undefined) lchownSync(join(folder, name), uid, uid);
  }
  shareCode(lane, "stranger");
}

/** After something in it was changed. */
export function restoreOutside({ folder, outside }: Lane): void {
  rmSync(outside, { recursive: true, force: true });
  copy(join(`${folder}-kept`, "outside"), outside);
}

export function printOutside({ folder }: Lane): FolderPrint {
  return printFolder(folder, ownNames);
}

/** Whose the project is: the user's who made it, or one's who sees it for the first time. */
export type Home = (typeof homes)[number];

const homes = ["home", "stranger"] as const;

export function runIn(
  lane: Lane,
  args: readonly string[],
  { home = "home", input = "", limitMs = 20_000 }: { home?: Home; input?: string; limitMs?: number } = {},
): Promise<MeasuredRun> {
  const { project, folder, outside, uid, build } = lane;
  return runMeasured(args, {
    ...{ cwd: project, input, limitMs, uid, build },
    env: {
      PATH: systemPath,
      HOME: outside,
      TMPDIR: join(folder, "tmp"),
      RALPH_HOME: join(folder, home),
      GIT_CONFIG_GLOBAL: "/dev/null",
      NO_COLOR: "1",
      LANG: "C.UTF-8",
    },
  });
}

async function fillProject(lane: Lane): Promise<void> {
  const { project, uid } = lane;
  const user = uid === undefined ? {} : { uid, gid: uid };
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: project,
      env: { PATH: systemPath, GIT_CONFIG_GLOBAL: "/dev/null" },
      ...user,
    });
  git("init", "--quiet", "--initial-branch=main", "--template=");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.com");
  writeFileSync(join(project, "precious.txt"), "precious\n");
  writeFileSync(join(project, ".gitignore"), ".ralph/\n");
  own(lane, project);
  git("add", "--all");
  git("commit", "--quiet", "--message", "start");
  mkdirSync(join(project, ".agent", "skills", "tidy"), { recursive: true });
  writeFileSync(
    join(project, ".agent", "skills", "tidy", "SKILL.md"),
    "---\nname: tidy\ndescription: Tidy the cart.\n---\n\n# Tidy\n\n1. Look.\n",
  );
  writeFileSync(
    join(project, ".agent", "memories.md"),
    "# Memories\n\n## Patterns\n\n### mem-1700000000-0001\n> Carts are added up in cents\n<!-- tags: cart | created: 2026-01-01 -->\n",
  );
  own(lane, project);
  for (const line of [
    "memory add Totals_are_rounded",
    "task init Fix_the_cart",
    "task start task-001",
    "task complete task-001 --outcome failure",
    "task init Second",
    "continuity update",
    "ledger checkpoint me",
  ])
    await must(lane, line.split(" "));
  for (const { name, args, input } of triedCommands)
    if (/hook (?:UserPromptSubmit|PostToolUse)$/.test(name)) await must(lane, args, input?.(lane));
}

async function must(lane: Lane, args: readonly string[], input = ""): Promise<void> {
  const { status, stderr } = await runIn(lane, args, { input });
  if (status !== 0) throw new Error(`ralph ${args.join(" ")}: ${status} ${stderr}`);
}

/** The folder looks like everything that Ralph reads: a store, notes, skills, sessions and a repository. */
function fillOutside({ outside, project }: Lane): void {
  const folder = join(outside, "folder");
  mkdirSync(join(folder, "skills", "x"), { recursive: true });
  for (const name of ["objects", "refs", "backups", "sessions"]) mkdirSync(join(folder, name));
  const session = JSON.stringify({
    agent: "claude",
    session: outsideWord,
    iteration: 1,
    shown: [],
    isOver: true,
  });
  const note = `# Memories\n\n## Patterns\n\n### mem-1700000000-0002\n> The cart of ${outsideWord}\n<!-- tags: cart | created: 2026-01-01 -->\n`;
  const files: Record<string, string> = {
    ".bashrc": `export WORD=${outsideWord}\n`,
    "session.json": session,
    "folder/a.json": `{"word":"${outsideWord}"}`,
    "folder/session.json": session,
    "folder/sessions/claude-1.json": session,
    "folder/memories.md": note,
    "folder/CONTINUITY.md": `# Continuity\n\n${outsideWord}\n`,
    "folder/SKILL.md": `---\nname: folder\ndescription: The cart of ${outsideWord}.\n---\n\n# Folder\n`,
    "folder/skills/x/SKILL.md": `---\nname: x\ndescription: The cart of ${outsideWord}.\n---\n\n# X\n`,
    "folder/ralph.yml": `project: { key: ${outsideWord} }\n`,
    "folder/HEAD": "ref: refs/heads/main\n",
    "folder/config": `[core]\n\tbare = false\n[user]\n\tname = ${outsideWord}\n`,
    "folder/ralph.log": `${outsideWord}\n`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(outside, name), text, { mode: 0o644 });
  for (const name of ["memory.db", "backups/memory-000009-2026-01-01-9.db"]) {
    copy(join(project, ".ralph", "memory.db"), join(folder, name));
    chmodSync(join(folder, name), 0o644);
  }
  chmodSync(folder, 0o755);
}

/** A name of a pipe or a socket can be linked to another. */
function makeThings({ pipe, socket }: Lane): void {
  execFileSync("mkfifo", [pipe]);
  const listen = `require("node:net").createServer().listen(${JSON.stringify("socket")}, () => process.kill(process.pid, "SIGKILL"))`;
  try {
    // By a short name: a path to a socket may have only some hundred bytes. Its process ends at once, its name stays.
    execFileSync(process.execPath, ["-e", listen], { cwd: join(socket, ".."), stdio: "ignore" });
  } catch {
    // Killed, as it should.
  }
}
