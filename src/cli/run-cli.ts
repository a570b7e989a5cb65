import { type ErrorCode, messageOf, RalphError } from "../domain/ralph-error.js";
import { fileProblem } from "../files/file-problem.js";
import { finishLeftSessions } from "../hooks/finish-left-sessions.js";
import type { Memory } from "../memory/memory.js";
import type { Notice } from "../memory/notice.js";
import { openMemory } from "../memory/open-memory.js";
import type { Command } from "./framework/command.js";
import { type FoundCommand, type FoundGroup, findCommand } from "./framework/find-command.js";
import { checkWords, globalOptions, type ParsedWords, splitWords } from "./framework/parse-arguments.js";
import { printResult } from "./framework/print.js";
import { printNotice } from "./output/terminal/notices.js";
import { oneLine } from "./output/terminal/style.js";
import { type OpenTerminal, openTerminal, type Terminal } from "./output/terminal/terminal.js";

async function main(argv: readonly string[], version: string, terminal: OpenTerminal): Promise<number> {
  if (["--version", "-V", "-v"].includes(argv[0] ?? "")) {
    terminal.out(`${version}\n`);
    return 0;
  }
  if (argv[0] === "__complete") {
    const { printCompletions } = await import("./completion/print-completions.js");
    return printCompletions(argv.slice(1), terminal, process.env);
  }
  const found = await findCommand(argv);
  if ("group" in found) return showGroup(found, terminal);
  try {
    return await runFound(found, version, terminal);
  } catch (error) {
    if (found.command.onFault === undefined) throw error;
    return found.command.onFault(error, terminal, process.env);
  }
}

async function runFound(
  { command, path, rest }: FoundCommand,
  version: string,
  terminal: OpenTerminal,
): Promise<number> {
  const parsed = splitWords(rest, { ...command.options, ...globalOptions }, command.arguments);
  if (parsed.options.help === true) {
    const { renderCommandHelp } = await import("./framework/help.js");
    await showHelp(renderCommandHelp(path, command), terminal, parsed);
    return 0;
  }
  const invoke = () => runCommand(command, parsed, version, terminal);
  return command.isLong ? paged(parsed, terminal, invoke) : invoke();
}

/** The commands of a group; `ralph` alone says where one is. */
async function showGroup({ path, group, rest }: FoundGroup, terminal: OpenTerminal): Promise<number> {
  const parsed = splitWords(rest, globalOptions);
  const isHelp = parsed.options.help === true;
  if (path.length === 0 && !isHelp) {
    const { overviewCommand } = await import("./commands/overview.js");
    return runCommand(overviewCommand, parsed, "", terminal);
  }
  const { renderGroupHelp } = await import("./framework/help.js");
  const help = await renderGroupHelp(path, group);
  if (isHelp) await showHelp(help, terminal, parsed);
  else {
    const { fitHelp } = await import("./framework/help.js");
    terminal.talk(fitHelp(help, terminal.width));
  }
  return isHelp ? 0 : 2;
}

async function showHelp(help: string, terminal: OpenTerminal, parsed: ParsedWords): Promise<void> {
  const { fitHelp } = await import("./framework/help.js");
  await paged(parsed, terminal, async () => terminal.out(fitHelp(help, terminal.width)));
}

/** Runs something whose output may be longer than the screen. */
async function paged<Result>(
  { options }: ParsedWords,
  terminal: OpenTerminal,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!terminal.isScreen || options["no-pager"] === true) return work();
  const { holdForPager } = await import("./output/terminal/pager.js");
  const release = holdForPager(terminal, process.env);
  try {
    return await work();
  } finally {
    release();
  }
}

async function runCommand(
  command: Command,
  parsed: ParsedWords,
  version: string,
  terminal: Terminal,
): Promise<number> {
  const { root, as, ...words } = checkWords(command, parsed);
  const memories: Memory[] = [];
  try {
    const status = await command.run({
      ...words,
      options: words.options as never,
      terminal,
      print: (output) => printResult(output, words.format, terminal),
      environment: process.env,
      root,
      version,
      async openMemory(options = {}) {
        const onNotice = (notice: Notice) => printNotice(notice, terminal);
        const memory = await openMemory({ root, as, ...options, onNotice, isShortLived: true });
        memories.push(memory);
        await finishLeftSessions(memory);
        return memory;
      },
    });
    return status ?? 0;
  } finally {
    for (const memory of memories) await memory.close();
  }
}

async function report(thrown: unknown, terminal: Terminal): Promise<number> {
  const error = withPath(thrown);
  if (error instanceof RalphError) {
    const hint = error.hint === undefined ? "" : ` (${error.hint})`;
    terminal.talk(`Error: ${oneLine(await withoutSecrets(error.message + hint))}\n`);
    return exitStatus[error.code];
  }
  const message = await withoutSecrets(messageOf(error));
  const blame = isFromSystem(error) ? "" : "this is a bug in Ralph; ";
  terminal.talk(`Error: ${oneLine(message)} (${blame}RALPH_DEBUG=1 shows the stack trace)\n`);
  if (process.env.RALPH_DEBUG && error instanceof Error) terminal.talk(`${error.stack}\n`);
  return 1;
}

/** What the operating system says of a file, in words that tell what to do. */
function withPath(error: unknown): unknown {
  return error instanceof Error && "path" in error ? fileProblem(String(error.path), error) : error;
}

/** What the operating system refused, such as a name that is too long, is no bug. */
function isFromSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && "errno" in error;
}

/** A message may repeat what was typed, and agents keep what a command prints. */
async function withoutSecrets(message: string): Promise<string> {
  const { redact } = await import("../text/secrets/redact.js");
  return redact(message).text;
}

/** Runs the command that the program was started with; when its exit status is there, everything is written. */
export async function runCli(version: string): Promise<number> {
  const terminal = await openTerminal(process.env, process.argv.slice(2));
  try {
    return await main(process.argv.slice(2), version, terminal);
  } catch (error) {
    return await report(error, terminal);
  }
}

const wrongUse = 2;
const failed = 1;
/** What shells tell of a program that Ctrl-C ended. */
const interrupted = 130;

/** Exit code for each error: 2 for wrong usage, 1 for failures, 130 for Ctrl-C. */
export const exitStatus: Record<ErrorCode, number> = {
  "wrong-use": wrongUse,
  "invalid-settings": wrongUse,
  "not-trusted": wrongUse,
  "not-found": failed,
  ambiguous: wrongUse,
  "already-exists": failed,
  "merge-conflict": failed,
  "file-unusable": failed,
  "disk-full": failed,
  "store-busy": failed,
  "store-damaged": failed,
  "index-damaged": failed,
  "store-too-new": failed,
  "store-too-old": failed,
  "store-away": failed,
  "store-refused": failed,
  "embedder-failed": failed,
  "missing-package": failed,
  "program-unusable": failed,
  "taken-over": failed,
  interrupted,
};
