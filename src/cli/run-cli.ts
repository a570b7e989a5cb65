import { messageOf } from "../domain/message-of.js";
import { RalphError } from "../domain/ralph-error.js";
import { finishLeftSessions } from "../hooks/finish-left-sessions.js";
import type { Memory } from "../memory/memory.js";
import type { Notice } from "../memory/notice.js";
import { openMemory } from "../memory/open-memory.js";
import { exitStatus } from "./framework/exit-status.js";
import { findCommand } from "./framework/find-command.js";
import { checkWords, globalOptions, splitWords } from "./framework/parse-arguments.js";
import { printNotice } from "./output/terminal/notices.js";
import { oneLine } from "./output/terminal/printable.js";
import { openTerminal, type Terminal } from "./output/terminal/terminal.js";

async function main(argv: readonly string[], version: string, terminal: Terminal): Promise<number> {
  if (["--version", "-V", "-v"].includes(argv[0] ?? "")) {
    terminal.out(`${version}\n`);
    return 0;
  }
  const found = await findCommand(argv);
  if ("group" in found) {
    const { options } = splitWords(found.rest, globalOptions);
    const { renderGroupHelp } = await import("./framework/help/render-help.js");
    const { fitHelp } = await import("./framework/help/fit-help.js");
    const help = fitHelp(await renderGroupHelp(found.path, found.group), terminal.width);
    if (options.help === true || found.path.length === 0) terminal.out(help);
    else terminal.talk(help);
    return options.help === true ? 0 : 2;
  }
  const { command, path } = found;
  const parsed = splitWords(found.rest, { ...command.options, ...globalOptions });
  if (parsed.options.help === true) {
    const { renderCommandHelp } = await import("./framework/help/render-help.js");
    const { fitHelp } = await import("./framework/help/fit-help.js");
    terminal.out(fitHelp(renderCommandHelp(path, command), terminal.width));
    return 0;
  }
  const { root, ...words } = checkWords(command, parsed);
  const memories: Memory[] = [];
  try {
    const status = await command.run({
      ...words,
      options: words.options as never,
      terminal,
      environment: process.env,
      root,
      version,
      async openMemory(options = {}) {
        const onNotice = (notice: Notice) => printNotice(notice, terminal);
        const memory = await openMemory({ root, ...options, onNotice, isShortLived: true });
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

async function report(error: unknown, terminal: Terminal): Promise<number> {
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

/** What the operating system refused, such as a name that is too long, is no bug. */
function isFromSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && "errno" in error;
}

/** A message may repeat what was typed, and agents keep what a command prints. */
async function withoutSecrets(message: string): Promise<string> {
  const { redact } = await import("../text/secrets/redact.js");
  return redact(message).text;
}

/** Exits at once when the command is done: everything is written by then, and tearing down Node takes milliseconds. */
export async function runCli(version: string): Promise<never> {
  const terminal = await openTerminal(process.env);
  let status: number;
  try {
    status = await main(process.argv.slice(2), version, terminal);
    await terminal.settled();
  } catch (error) {
    status = await report(error, terminal);
    await terminal.settled().catch(() => {});
  }
  process.exit(status);
}
