import { otherWay } from "../../merge/convention-figures.js";
import type { Way } from "./way.js";

const styles: readonly (readonly [sentence: string, pattern: RegExp])[] = [
  [
    "Commit messages follow Conventional Commits",
    /^(?:feat|fix|chore|docs|refactor|test|perf|build|ci|style|revert)(?:\([^)\n]+\))?!?: \S/,
  ],
  ["Commit messages start with a ticket number", /^\[?[A-Z][A-Z0-9]+-\d+\]?:? \S/],
];

/** The style of the commit messages in these commands. */
export function commitWays(lines: readonly string[]): Way[] {
  return lines.flatMap((line) => {
    const message = messageIn(line);
    if (message === undefined) return [];
    const [sentence = otherWay] = styles.find(([, pattern]) => pattern.test(message)) ?? [];
    return [{ subject: "commit messages", choice: sentence, example: message.slice(0, 60) }];
  });
}

/** The first line of a commit's message. */
function messageIn(line: string): string | undefined {
  const options = /\bgit\s+(?:-\S+\s+(?:\S+\s+)?)?commit\b([\s\S]{0,400})/.exec(line)?.[1];
  if (options === undefined || /--amend|--fixup|--squash/.test(options)) return undefined;
  const given = /\s(?:-\w*m\s*|--message[= ])([\s\S]+)/.exec(options)?.[1];
  if (given === undefined) return undefined;
  const document = /^["']?\$\(cat\s*<<-?\s*["']?\w+["']?\n\s*([^\n]+)/.exec(given)?.[1];
  const quoted = document ?? /^(["'])([^\n]*?)(?:\1|\n|$)/.exec(given)?.[2];
  const message = quoted?.trim();
  return message === "" ? undefined : message;
}
