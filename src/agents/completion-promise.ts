/** The default word with which an agent signals completion. */
export const defaultPromise = "COMPLETE";

/** Tells the agent how to signal completion. */
export function completionInstruction(promise: string = defaultPromise): string {
  return (
    `When the task is completely done and you have checked it, end your last message with \`${tag(promise)}\` ` +
    "on its own line, with nothing after it. Never write it at any other time."
  );
}

/**
 * Whether an agent's final text promises completion, in a tag or on a line of its own. Promises in code, quotes or events, sentences about
 * the promise, and promises with conditions do not count.
 */
export function hasPromise(finalText: string, promise: string = defaultPromise): boolean {
  const last = ownLines(finalText, promise).findLast((line) => line !== "") ?? "";
  return last.replace(/^[*_]+|[*_]+$/g, "").trim() === promise || endsWithTag(last, promise);
}

const maxFinalText = 256 * 1024;

/** The lines outside of code, quotes, events and the repeated instruction. */
function ownLines(text: string, promise: string): string[] {
  const message = text
    .slice(-maxFinalText)
    .replaceAll("\r", "")
    .replaceAll(completionInstruction(promise), "");
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of withoutEvents(message).split("\n")) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || fence === mark)) {
      fence = fence === undefined ? mark : undefined;
      // Keeps code from making the line before it the last one.
      lines.push("[code]");
    } else if (fence === undefined) lines.push(/^ {0,3}>/.test(line) ? "[quote]" : line.trim());
  }
  return lines;
}

function withoutEvents(text: string): string {
  const [first = "", ...rest] = text.split(/<event\b/i);
  // An unclosed event lasts until the next one or the end.
  return [
    first,
    ...rest.map((part) =>
      part
        .split(/<\/event>/i)
        .slice(1)
        .join(""),
    ),
  ].join("");
}

/** Words of sentences that mention the promise without making it. */
const aboutPromise =
  /\b(?:not|never|cannot|can't|won't|don't|until|unless|when|once|if|before|after|will|would|should|must|output|print|emit|say|write|reply|respond|end with|instead of)\b/i;

function endsWithTag(line: string, promise: string): boolean {
  const [, before = "", word = ""] = /^(.*?)<promise>([^<]*)<\/promise>[.!*_]*$/i.exec(line) ?? [];
  if (word.trim() !== promise) return false;
  const sentence = before.split(/[.!?;—–]\s+/).at(-1) ?? "";
  return !aboutPromise.test(sentence) && !/[`"'“‘(]\s*$/.test(before);
}

function tag(promise: string): string {
  return `<promise>${promise}</promise>`;
}
