/** What an agent says when the task is done, unless it is told another word. */
export const defaultPromise = "COMPLETE";

/** How to signal completion, for the prompt. */
export function completionInstruction(promise: string = defaultPromise): string {
  return (
    `When the task is completely done and you have checked it, end your last message with \`${tag(promise)}\` ` +
    "on a line of its own, and nothing behind it. Write it at no other time."
  );
}

/**
 * Whether an agent's last message promises completion: as a tag, or as its last line. What is quoted, in code, in an event, or
 * talks about the promise does not count.
 */
export function hasPromise(finalText: string, promise: string = defaultPromise): boolean {
  const lines = ownLines(finalText, promise);
  const last = lines.findLast((line) => line !== "") ?? "";
  if (last.replace(/^[*_]+|[*_]+$/g, "").trim() === promise) return true;
  return lines.some((line) => endsWithTag(line, promise));
}

const maxFinalText = 256 * 1024;

/** The lines outside of code, quotes, events and the instruction itself. */
function ownLines(text: string, promise: string): string[] {
  const said = text.slice(-maxFinalText).replaceAll("\r", "").replaceAll(completionInstruction(promise), "");
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of withoutEvents(said).split("\n")) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || fence === mark)) {
      fence = fence === undefined ? mark : undefined;
      // A quoted last line is not the last line of what was said.
      lines.push("[code]");
    } else if (fence === undefined) lines.push(/^ {0,3}>/.test(line) ? "[quote]" : line.trim());
  }
  return lines;
}

function withoutEvents(text: string): string {
  const [first = "", ...rest] = text.split(/<event\b/i);
  // One that is not closed lasts to the next, or to the end.
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

/** A sentence with one of these speaks of the promise instead of making it. */
const talk =
  /\b(?:not|never|cannot|can't|won't|don't|until|unless|when|once|if|before|after|will|would|should|must|output|print|emit|say|write|reply|respond|end with|instead of)\b/i;

function endsWithTag(line: string, promise: string): boolean {
  const [, before = "", said = ""] = /^(.*?)<promise>([^<]*)<\/promise>[.!*_]*$/i.exec(line) ?? [];
  if (said.trim() !== promise) return false;
  const sentence = before.split(/[.!?;—–]\s+/).at(-1) ?? "";
  return !talk.test(sentence) && !/[`"'“‘(]\s*$/.test(before);
}

function tag(promise: string): string {
  return `<promise>${promise}</promise>`;
}
