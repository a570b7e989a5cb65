import { join } from "node:path";
import { durationRule, parseDuration } from "../../domain/duration.js";
import type { Environment } from "../../domain/environment.js";
import { openMemory } from "../../memory/open-memory.js";
import { defineCommand, wrongUse } from "../framework/command.js";
import { flag, number, text } from "../framework/options.js";
import { printNotice } from "../output/terminal/notices.js";
import { listenForStop } from "./run/run-on-terminal.js";
import { startResume } from "./spawn-resume.js";

/** Where the page is: built beside the command. */
export const pageFolder = join(import.meta.dirname, "../ui");

/** Somebody waits in front of the page. */
const busyTimeoutMs = 5_000;

export const uiCommand = defineCommand({
  summary: "browse the memory in a browser",
  description:
    "Serves a page on this machine: what runs now, every task as a timeline, learnings with their evidence, the review of new\n" +
    "ones, notes, a playground for recall, whether memory helps, and the health of the store. The address holds a token that\n" +
    "works once, for one tab. Ctrl-C stops it; nothing is left running.",
  options: {
    port: number("N", "port [default: a free one]"),
    "no-open": flag("only print the address"),
    idle: text("TIME", "stop after this time without use, such as 30m"),
    host: text(
      "ADDRESS",
      "listen on this address instead of 127.0.0.1; anybody who can reach it and has the token can read and change",
    ),
  },
  examples: ["ralph ui", "ralph ui --no-open --port 7412", "ralph ui --idle 30m", "ralph ui --json"],
  async run({ options, format, terminal, environment, root, version }) {
    const idleMs = readIdle(options.idle);
    const open = () =>
      openMemory({
        root,
        environment,
        busyTimeoutMs,
        onNotice: (notice) => printNotice(notice, terminal),
      });
    const memory = await open();
    const { stop, close } = listenForStop(() => undefined);
    const isJson = format === "json";
    if (options.host !== undefined)
      terminal.talk(
        `Warning: ${options.host} is reachable from other machines; anybody with the address can read and change this memory\n`,
      );
    try {
      const how = await (await import("../../ui/serve-page.js")).servePage({
        ...{ memory, version, idleMs, stop, host: options.host },
        folder: pageFolder,
        port: await (await import("../../net/loopback.js")).checkPort(options.port ?? 0),
        openAnew: open,
        resume: (taskId) => startResume(taskId, { root: memory.project.root, environment }),
        onAddress(address, isFirst) {
          if (!isFirst) {
            terminal.talk(`For another tab or browser: ${address}\n`);
            return;
          }
          terminal.out(isJson ? Buffer.from(`${JSON.stringify({ address })}\n`) : `${address}\n`);
          if (isJson || options["no-open"]) return;
          terminal.talk("Ctrl-C ends it\n");
          void openBrowser(address, environment).then((isOpened) => {
            if (!isOpened) terminal.talk("No browser found: open the address yourself\n");
          });
        },
      });
      if (how === "idle") terminal.talk(`Stopped: the page was not used for ${options.idle}\n`);
    } finally {
      close();
      await memory.close();
    }
  },
});

function readIdle(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  try {
    return parseDuration(given);
  } catch {
    throw wrongUse(`--idle ${durationRule}, not ${given}`);
  }
}

/** The words that open an address in the user's browser; undefined where there is no screen. */
function browserCommand(
  address: string,
  platform: NodeJS.Platform,
  environment: Environment,
): readonly [string, ...string[]] | undefined {
  if (platform === "darwin") return ["open", address];
  // `start` is a word of the shell; its first argument would be a title.
  if (platform === "win32") return ["cmd", "/c", "start", "", address.replaceAll("&", "^&")];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ["xdg-open", address] : undefined;
}

/** False if there is no browser to open; the browser is not waited for. */
async function openBrowser(address: string, environment: Environment): Promise<boolean> {
  const words = browserCommand(address, process.platform, environment);
  if (words === undefined) return false;
  const { spawn } = await import("node:child_process");
  const [program, ...args] = words;
  return new Promise((done) => {
    const child = spawn(program, args, { stdio: "ignore", detached: true, shell: false });
    child.once("error", () => done(false));
    child.once("spawn", () => {
      child.unref();
      done(true);
    });
  });
}
