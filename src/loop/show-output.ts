import { StringDecoder } from "node:string_decoder";
import { textFromProject } from "../files/relative-path.js";
import { withoutTerminalCodes } from "../text/output-lines.js";
import type { LoopContext } from "./loop-context.js";
import type { OutputSource } from "./loop-event.js";

/** Emits what a program prints as it comes, in whole lines of plain text. */
interface ShownOutput {
  push(chunk: Buffer): void;
  /** What an agent says: a message of its own begins a line. */
  say(said: { text: string; isContinued: boolean }): void;
  flush(): void;
  end(): void;
}

export function showOutput(
  { emit, root }: Pick<LoopContext, "emit" | "root">,
  from: OutputSource,
): ShownOutput {
  const decoder = new StringDecoder("utf8");
  const feed = openLineFeed((lines) => {
    const text = textFromProject(root, withoutTerminalCodes(lines)).replace(/\n$/, "");
    if (text.trim() !== "") emit({ event: "output", from, text });
  });
  return {
    push: (chunk) => feed.push(decoder.write(chunk)),
    say({ text, isContinued }) {
      if (!isContinued) feed.flush();
      feed.push(isContinued ? text : `${text}\n`);
    },
    flush: feed.flush,
    end() {
      feed.push(decoder.end());
      feed.end();
    },
  };
}

/** Passes text on in whole lines, as soon as they are complete. */
interface LineFeed {
  push(text: string): void;
  /** Passes on what is left, also if its line is not complete. */
  flush(): void;
  /** The same at the end: with the last lines of what was too much to pass on. */
  end(): void;
}

const maxPassed = 256 * 1024;
const maxPending = 16 * 1024;
const keptEnd = 8 * 1024;
/** A secret of several lines is redacted only where it is seen as a whole. */
const opened = /-----BEGIN [A-Z ]*-----(?![\s\S]*-----END )/;

/** Of an output without end, the beginning is passed on as it comes, and its last lines when it is over. */
export function openLineFeed(pass: (lines: string) => void): LineFeed {
  let pending = "";
  let passed = 0;
  let leftOut = 0;
  let end = "";

  const take = (text: string): void => {
    if (text === "") return;
    if (passed < maxPassed) {
      passed += text.length;
      pass(text);
      return;
    }
    leftOut += text.length;
    end = `${end}${text}`;
    if (end.length > 2 * keptEnd) end = end.slice(-keptEnd);
  };
  const flush = (): void => {
    const text = pending;
    pending = "";
    take(text);
  };

  return {
    push(text) {
      // Beyond the limit only the end counts, and nothing has to be looked for in it.
      if (passed >= maxPassed) {
        flush();
        take(text);
        return;
      }
      pending += text;
      if (pending.length > maxPending) {
        flush();
        return;
      }
      const whole = pending.lastIndexOf("\n") + 1;
      if (whole === 0 || opened.test(pending.slice(0, whole))) return;
      const lines = pending.slice(0, whole);
      pending = pending.slice(whole);
      take(lines);
    },
    flush,
    end() {
      flush();
      if (leftOut === 0) return;
      const shown = end.slice(-keptEnd);
      const from = shown.length < leftOut ? shown.indexOf("\n") + 1 : 0;
      const lines = shown.slice(from);
      pass(`[… ${leftOut - lines.length} characters not shown …]\n${lines}`);
    },
  };
}
