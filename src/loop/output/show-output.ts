import { StringDecoder } from "node:string_decoder";
import { textFromProject } from "../../files/relative-path.js";
import { withoutTerminalCodes } from "../../text/output-lines.js";
import type { LoopContext } from "../loop-context.js";
import type { OutputSource } from "../loop-event.js";
import { openLineFeed } from "./line-feed.js";

/** Emits what a program prints as it comes, in whole lines of plain text. */
export interface ShownOutput {
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
