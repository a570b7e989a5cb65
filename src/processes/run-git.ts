import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { hasSpecialGitFiles } from "../files/find-project.js";

const timeoutMs = 10_000;
const maxBuffer = 64 * 1024 * 1024;

/** Pathspecs that exclude Ralph's own folders, wherever in the repository the command runs. */
export const withoutOwnFolders = [":/", ":(exclude,top).agent", ":(exclude,top).ralph"];

/** Submodules are left out: their configuration may name programs, too. */
export const withoutSubmodules = "--ignore-submodules=dirty";

/** Git's answer to lines on its standard input; undefined if git fails or is not installed. */
export async function askGit(root: string, input: string, ...args: string[]): Promise<Buffer | undefined> {
  const call = await safeCall(root);
  if (call === undefined) return undefined;
  const { options, env } = call;
  return new Promise((resolve) => {
    const settings = { cwd: root, env, timeout: timeoutMs, maxBuffer, encoding: "buffer" as const };
    const child = execFile("git", [...options, ...args], settings, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
    // Git may end before it has read everything.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

/** Git's output; undefined if git fails or is not installed. */
export async function runGit(root: string, ...args: string[]): Promise<string | undefined> {
  const call = await safeCall(root);
  return call && ask(root, [...call.options, ...args], call.env);
}

/** Git's output or its error message; for work that may take long. */
export async function tryGit(
  root: string,
  args: readonly string[],
  timeout: number,
): Promise<{ output: string } | { problem: string }> {
  const call = await safeCall(root);
  if (call === undefined) return { problem: "git is not installed, or this is not a repository" };
  return new Promise((resolve) => {
    const settings = { cwd: root, env: call.env, timeout, maxBuffer };
    execFile("git", [...call.options, ...args], settings, (error, output, said) =>
      resolve(error === null ? { output } : { problem: said.trim() || error.message }),
    );
  });
}

/** How Git is called so that it starts no program named by the repository; the user's own settings apply. */
interface SafeCall {
  options: readonly string[];
  env: NodeJS.ProcessEnv;
}

const settings = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "diff.external=",
  "log.showSignature=false",
];
const options = ["--no-optional-locks", ...settings.flatMap((setting) => ["-c", setting])];

/** A repository can configure a command to fetch missing objects. */
const withoutFetching = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none", GIT_TERMINAL_PROMPT: "0" };

/** Settings that name programs to run, or files to read, which may be pipes. */
const guardedKey =
  /^(filter\..*)\.(?:clean|smudge|process)$|^diff\..*\.(?:command|textconv)$|^core\.(?:excludes|attributes)file$/s;

/** Repositories in which git timed out once: each further call would take as long. */
const hasTimedOut = new Set<string>();

/** Undefined when the configuration cannot be listed in full: a huge one could hide programs. */
async function safeCall(root: string): Promise<SafeCall | undefined> {
  if (hasTimedOut.has(root) || hasSpecialGitFiles(root)) return undefined;
  const env: NodeJS.ProcessEnv = { ...process.env, ...withoutFetching };
  const listing = ["config", "--list", "--name-only", "--show-scope", "--includes", "-z"];
  const words = (await ask(root, [...options, ...listing], env))?.split("\0");
  if (words === undefined) return undefined;
  const emptied = words.flatMap((key, index): [string, string][] => {
    const isOfRepository = /^(?:local|worktree)$/.test(words[index - 1] ?? "");
    const [isGuarded, filter] = (isOfRepository && guardedKey.exec(key)) || [];
    if (isGuarded === undefined) return [];
    return [
      [key, ""],
      ...(filter === undefined ? [] : [[`${filter}.required`, "false"] as [string, string]]),
    ];
  });
  // Variables are added after those the user has set; a name may contain characters that would end it in an option.
  const first = Number(env.GIT_CONFIG_COUNT) || 0;
  const entries = emptied.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return {
    options,
    env: { ...env, GIT_CONFIG_COUNT: String(first + emptied.length), ...Object.fromEntries(entries) },
  };
}

async function ask(root: string, args: string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    return (await promisify(execFile)("git", args, { cwd: root, env, timeout: timeoutMs, maxBuffer })).stdout;
  } catch (error) {
    const { killed, code } = error as { killed?: boolean; code?: unknown };
    if (killed && code === null) hasTimedOut.add(root);
    return undefined;
  }
}
