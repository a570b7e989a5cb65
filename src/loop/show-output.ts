import { StringDecoder } from "node:string_decoder";
import { textFromProject } from "../files/relative-path.js";
import { withoutTerminalCodes } from "../text/output-lines.js";
import type { LoopContext } from "./loop-context.js";
import type { OutputSource } from "./loop-event.js";

/** Emits the output of programs as it arrives, in whole lines of plain text. */
interface ShownOutput {
  push(chunk: Buffer): void;
  /** Emits what an agent says; a separate message starts a new line. */
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

/** Passes text on in whole lines as they are completed. */
interface LineFeed {
  push(text: string): void;
  /** Passes on the rest, even an incomplete line. */
  flush(): void;
  /** Like `flush`, at the end of the output; adds the last lines of what exceeded the limit. */
  end(): void;
}

const maxPassed = 256 * 1024;
const maxPending = 16 * 1024;
const keptEnd = 8 * 1024;
/** A secret that spans lines is redacted only as a whole. */
const opened = /-----BEGIN [A-Z ]*-----(?![\s\S]*-----END )/;

/** Passes on an unbounded output as it arrives up to a limit, then only its last lines at the end. */
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
      // Beyond the limit only the end counts, so nothing else is examined.
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
