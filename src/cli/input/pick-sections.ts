import { RalphError } from "../../domain/ralph-error.js";
import type { SectionSummary } from "../../interop/layout.js";
import { oneLine } from "../output/terminal/printable.js";
import type { Terminal } from "../output/terminal/terminal.js";
import type { Ask } from "./ask.js";

/** Asks which sections are wanted. Empty for those that are taken by default; undefined for none. */
export async function pickSections(
  sections: readonly SectionSummary[],
  terminal: Pick<Terminal, "talk">,
  ask: Ask,
): Promise<string[] | undefined> {
  if (sections.length < 2) return [];
  for (const [index, { name, file, isOptional }] of sections.entries()) {
    const mark = isOptional ? "  (only if you name it)" : "";
    terminal.talk(`${String(index + 1).padStart(3)}  ${oneLine(name)}  ${oneLine(file)}${mark}\n`);
  }
  const answer = (await ask("Which sections? Numbers such as 1,3-5; Enter for all; n for none: "))?.trim();
  if (answer === undefined || /^no?(?:ne)?$/i.test(answer)) return undefined;
  if (/^(?:|a|all|y|yes)$/i.test(answer)) return [];
  return numbersIn(answer, sections.length).flatMap((number) => {
    const { name, file } = sections[number - 1] ?? {};
    return name === undefined ? [] : [`${file} ${name}`];
  });
}

/** The numbers of a list such as `1,3-5`. */
function numbersIn(answer: string, most: number): number[] {
  return answer.split(/[\s,]+/).flatMap((part) => {
    const [, first = "", last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === "" || from < 1 || to > most || to < from)
      throw new RalphError("wrong-use", `There is no section ${part}`, {
        hint: `use numbers from 1 to ${most}`,
      });
    return Array.from({ length: to - from + 1 }, (_each, index) => from + index);
  });
}
