import { durationRule, parseDuration } from "../../../domain/duration.js";
import { lazyModule } from "../../../domain/lazy-module.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { openMemory } from "../../../memory/open-memory.js";
import { defineCommand } from "../../framework/command.js";
import { listenForStop } from "../../input/stop-signals.js";
import { printNotice } from "../../output/terminal/notices.js";
import { openBrowser } from "./open-browser.js";
import { pageFolder } from "./page-folder.js";
import { startResume } from "./start-resume.js";

const listening = lazyModule(() => import("../../../net/loopback/listen.js"));
const serving = lazyModule(() => import("../../../ui/serve-page.js"));

/** Somebody waits in front of the page. */
const busyTimeoutMs = 5_000;

export const uiCommand = defineCommand({
  summary: "look into the memory with a browser",
  description:
    "Serves a page on this machine: what runs now, every task as a timeline, learnings with their evidence, the review of new\n" +
    "ones, notes, a playground for recall, whether memory helps, and the health of the store. The address holds a token that\n" +
    "works once, for one tab. Ctrl-C ends it; nothing stays behind.",
  arguments: [],
  options: {
    port: { kind: "number", placeholder: "N", summary: "port [default: a free one]" },
    "no-open": { kind: "flag", summary: "only print the address" },
    idle: { kind: "text", placeholder: "TIME", summary: "end when nobody used it for so long, such as 30m" },
    host: {
      kind: "text",
      placeholder: "ADDRESS",
      summary:
        "another interface than 127.0.0.1; everybody who reaches it and has the token can read and change",
    },
  },
  formats: ["table", "json"],
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
        `Warning: ${options.host} is reached by others; whoever has the address can read and change this memory\n`,
      );
    try {
      const how = await serving.servePage({
        ...{ memory, version, idleMs, stop, host: options.host },
        folder: pageFolder,
        port: await listening.checkPort(options.port ?? 0),
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
            if (!isOpened) terminal.talk("No browser was found here: open the address yourself\n");
          });
        },
      });
      if (how === "idle") terminal.talk(`Nobody used the page for ${options.idle}: ended\n`);
    } finally {
      close();
      await memory.close();
    }
    return 0;
  },
});

function readIdle(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  try {
    return parseDuration(given);
  } catch {
    throw new RalphError("wrong-use", `--idle ${durationRule}, not ${given}`);
  }
}
