import { RalphError } from "../../domain/ralph-error.js";
import { nearest, suggest } from "../../text/nearest.js";
import {
  type ArgumentSpec,
  type Command,
  type Format,
  type OptionSpec,
  type OptionSpecs,
  wrongUse,
} from "./command.js";

/** Options of all commands. */
export const globalOptions = {
  format: { kind: "text", placeholder: "FORMAT", summary: "output format" },
  json: { kind: "flag", summary: "same as --format json" },
  root: { kind: "text", placeholder: "DIR", summary: "run as if started in this folder" },
  as: {
    kind: "text",
    placeholder: "NAME",
    summary: "author to record [default: RALPH_AS, then git user.name]",
  },
  color: {
    kind: "text",
    placeholder: "WHEN",
    bareValue: "always",
    isInline: true,
    values: ["auto", "always", "never"],
    summary: "when to use colors; --no-color means never",
  },
  "no-color": { kind: "flag", summary: "use no colors" },
  "no-pager": { kind: "flag", summary: "do not show long output with a pager" },
  help: { kind: "flag", short: "h", summary: "show this help" },
} as const satisfies OptionSpecs;

export interface ParsedWords {
  words: string[];
  options: Record<string, string[] | true>;
}

/** Splits words into arguments and options; everything after `--` is an argument. */
export function splitWords(
  argv: readonly string[],
  specs: OptionSpecs,
  taken: readonly ArgumentSpec[] = [],
): ParsedWords {
  const takesNegative = taken.some(({ mayBeNegative }) => mayBeNegative);
  const words: string[] = [];
  const options: ParsedWords["options"] = {};
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    if (word === "--") {
      words.push(...argv.slice(index + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-" || (takesNegative && /^-[\d.]+$/.test(word))) {
      words.push(word);
      continue;
    }
    const [flag = "", inline] = splitOnce(word, "=");
    const name = optionName(flag, specs);
    if (specs[name]?.kind === "flag") {
      if (inline !== undefined) throw wrongUse(`${flag} takes no value`);
      options[name] = true;
      continue;
    }
    const isGiven = isValue(argv[index + 1]) && !specs[name]?.isInline;
    const bareValue = isGiven ? undefined : specs[name]?.bareValue;
    if (inline === undefined && bareValue === undefined) index += 1;
    const value = inline ?? bareValue ?? argv[index];
    if (value === undefined || (inline === undefined && bareValue === undefined && isOption(value, specs)))
      throw needsValue(flag, value);
    const earlier = options[name];
    options[name] = [...(Array.isArray(earlier) ? earlier : []), value];
  }
  return { words, options };
}

/** Whether a word is the long name of an option of the command, and so hardly meant as the value of another. */
function isOption(word: string, specs: OptionSpecs): boolean {
  const [flag = ""] = splitOnce(word, "=");
  return Object.entries(specs).some(([name, { aliases = [] }]) =>
    [name, ...aliases].some((each) => flag === `--${each}`),
  );
}

function needsValue(flag: string, next: string | undefined): RalphError {
  const isLong = flag.startsWith("--");
  return new RalphError("wrong-use", `${flag} needs a value`, {
    ...(next !== undefined && isLong && { hint: `${flag}=${next} takes ${next} as its value` }),
  });
}

function isValue(word: string | undefined): boolean {
  return word !== undefined && !word.startsWith("-");
}

function splitOnce(word: string, separator: string): [string, string | undefined] {
  const at = word.startsWith("--") ? word.indexOf(separator) : -1;
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function optionName(flag: string, specs: OptionSpecs): string {
  const word = flag.slice(2);
  if (flag.startsWith("--") && Object.hasOwn(specs, word)) return word;
  const named = Object.entries(specs).find(([, { short, aliases }]) =>
    flag.startsWith("--") ? aliases?.includes(word) : short === flag.slice(1),
  );
  if (named !== undefined) return named[0];
  throw wrongUse(`Unknown option: ${flag}`, hintFor(flag, specs));
}

/** The nearest option; without one, those that are the command's own. */
function hintFor(flag: string, specs: OptionSpecs): string {
  const names = Object.keys(specs).map((name) => `--${name}`);
  const near = nearest(flag, [...names, "--version"]);
  const own = names.filter((name) => !Object.hasOwn(globalOptions, name.slice(2)));
  if (near !== undefined) return `did you mean ${near}?`;
  return `${own.length > 0 ? `known: ${own.join(", ")}` : "see --help for the options"}; put text that starts with a dash after "--"`;
}

interface CheckedWords {
  arguments: string[];
  options: Record<string, unknown>;
  format: Format;
  root: string | undefined;
  as: string | undefined;
}

/** Checks words against a command's spec and converts option values. */
export function checkWords(command: Command, { words, options }: ParsedWords): CheckedWords {
  checkCount(command, words);
  const values: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(command.options))
    values[name] = readOption(name, spec, options[name]);
  return {
    arguments: words,
    options: values,
    format: readFormat(command, options),
    root: lastValue(options.root),
    as: lastValue(options.as),
  };
}

function checkCount({ arguments: specs }: Command, words: readonly string[]): void {
  const missing = specs.slice(words.length).find((spec) => !spec.isOptional);
  if (missing !== undefined)
    throw wrongUse(`Missing <${missing.name}>: ${missing.summary}`, "see --help for examples");
  for (const [index, { name, values }] of specs.entries()) {
    const word = words[index];
    if (word !== undefined && values !== undefined && !values.includes(word))
      throw wrongUse(`Unknown ${name}: ${word}`, suggest(word, values));
  }
  if (specs.at(-1)?.isRepeated) return;
  const extra = words[specs.length];
  if (extra !== undefined) {
    const takesNone = specs.length === 0;
    throw new RalphError("wrong-use", `Unexpected argument: ${extra}`, {
      ...(!takesNone && { hint: "put text with spaces in quotes" }),
    });
  }
}

function readOption(name: string, spec: OptionSpec, given: string[] | true | undefined): unknown {
  if (spec.kind === "flag") return given === true;
  if (given === undefined || given === true) return undefined;
  if (spec.kind === "texts") return given.map((text) => checkValue(name, spec, text));
  if (spec.kind === "list") {
    const items = given.flatMap((text) => text.split(",")).map((item) => item.trim());
    const named = items.filter((item) => item !== "");
    if (named.length === 0 && spec.values !== undefined) throw wrongUse(`--${name} needs a value`);
    return named.map((item) => checkValue(name, spec, item));
  }
  const text = given.at(-1) ?? "";
  if (spec.kind === "text") return checkValue(name, spec, text);
  if (!/^\d{1,15}$/.test(text))
    throw wrongUse(`--${name} takes a whole number, 0 or more, not ${JSON.stringify(text)}`);
  return Number(text);
}

function checkValue(name: string, { values }: OptionSpec, value: string): string {
  if (values === undefined || values.includes(value)) return value;
  throw wrongUse(`Unknown ${name}: ${value}`, suggest(value, values));
}

function readFormat(command: Command, options: ParsedWords["options"]): Format {
  const [fallback = "table"] = command.formats;
  const word = options.json === true ? "json" : (lastValue(options.format) ?? fallback);
  const format = command.formats.find((known) => known === word);
  if (format !== undefined) return format;
  throw wrongUse(`Unknown format: ${word}`, suggest(word, command.formats));
}

function lastValue(given: string[] | true | undefined): string | undefined {
  return Array.isArray(given) ? given.at(-1) : undefined;
}
