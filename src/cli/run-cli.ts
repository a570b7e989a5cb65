import { type ErrorCode, messageOf, RalphError } from "../domain/ralph-error.js";
import { fileProblem } from "../files/file-problem.js";
import { finishLeftSessions } from "../hooks/finish-left-sessions.js";
import type { Memory } from "../memory/memory.js";
import type { Notice } from "../memory/notice.js";
import type { Command } from "./framework/command.js";
import { type FoundCommand, findCommand } from "./framework/find-command.js";
import { checkWords, globalOptions, type ParsedWords, splitWords } from "./framework/parse-arguments.js";
import { printResult } from "./framework/print.js";
import { printNotice } from "./output/terminal/notices.js";
import { oneLine } from "./output/terminal/style.js";
import { type OpenTerminal, openTerminal, type Terminal } from "./output/terminal/terminal.js";

/** Runs the command that the program was started with; when its exit status is there, everything is written. */
export async function runCli(version: string): Promise<number> {
  const argv = process.argv.slice(2);
  const terminal = await openTerminal(process.env, argv);
  try {
    return await main(argv, version, terminal);
  } catch (error) {
    return await report(error, terminal);
  }
}

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
  const { command } = found;
  if (command === undefined) return showGroup(found, terminal);
  try {
    return await runFound(found, command, version, terminal);
  } catch (error) {
    if (command.onFault === undefined) throw error;
    return command.onFault(error, terminal, process.env);
  }
}

async function runFound(
  { path, rest }: FoundCommand,
  command: Command,
  version: string,
  terminal: OpenTerminal,
): Promise<number> {
  const parsed = splitWords(rest, { ...command.options, ...globalOptions }, command.arguments);
  if (parsed.options.help === true) {
    const { renderCommandHelp } = await import("./framework/help.js");
    await paged(parsed, terminal, async () => terminal.out(renderCommandHelp(path, command, terminal.width)));
    return 0;
  }
  const invoke = () => runCommand(command, parsed, version, terminal);
  return command.isLong ? paged(parsed, terminal, invoke) : invoke();
}

/** Lists the commands of a group; `ralph` alone shows an overview of the project. */
async function showGroup({ path, group, rest }: FoundCommand, terminal: OpenTerminal): Promise<number> {
  const parsed = splitWords(rest, globalOptions);
  const isHelp = parsed.options.help === true;
  if (path.length === 0 && !isHelp) {
    const { overviewCommand } = await import("./commands/overview.js");
    return runCommand(overviewCommand, parsed, "", terminal);
  }
  const { renderGroupHelp } = await import("./framework/help.js");
  const help = await renderGroupHelp(path, group, terminal.width);
  if (isHelp) await paged(parsed, terminal, async () => terminal.out(help));
  else terminal.talk(help);
  return isHelp ? 0 : 2;
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
  const { root, as, options, ...words } = checkWords(command, parsed);
  const memories: Memory[] = [];
  try {
    const status = await command.run({
      ...words,
      options: options as never,
      terminal,
      print: (output) => printResult(output, words.format, terminal),
      environment: process.env,
      root,
      version,
      async openMemory(given = {}) {
        const onNotice = (notice: Notice) => printNotice(notice, terminal);
        const { openMemory } = await import("../memory/open-memory.js");
        const memory = await openMemory({ root, as, ...given, onNotice, isShortLived: true });
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
    return exitStatusOf(error.code);
  }
  const message = await withoutSecrets(messageOf(error));
  const blame = isFromSystem(error) ? "" : "this is a bug in Ralph; ";
  terminal.talk(`Error: ${oneLine(message)} (${blame}RALPH_DEBUG=1 shows the stack trace)\n`);
  if (process.env.RALPH_DEBUG && error instanceof Error) terminal.talk(`${error.stack}\n`);
  return 1;
}

/** Replaces the operating system's words about a file by ones that say what to do. */
function withPath(error: unknown): unknown {
  return error instanceof Error && "path" in error ? fileProblem(String(error.path), error) : error;
}

/** Something that the operating system refused, such as a name that is too long, is no bug. */
function isFromSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && "errno" in error;
}

/** A message may repeat what was typed, and agents keep what a command prints. */
async function withoutSecrets(message: string): Promise<string> {
  const { redact } = await import("../text/secrets/redact.js");
  return redact(message).text;
}

const wrongUse: readonly ErrorCode[] = ["wrong-use", "invalid-settings", "not-trusted", "ambiguous"];

/** 2 for wrong usage, 130 for Ctrl-C as in shells, 1 for all other failures. */
function exitStatusOf(code: ErrorCode): number {
  if (code === "interrupted") return 130;
  return wrongUse.includes(code) ? 2 : 1;
}
