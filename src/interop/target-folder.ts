import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { makeFolder } from "../files/make-folder.js";
import { checkInside, refuseGit } from "../files/path-inside.js";
import { replaceFile } from "../files/replace-file.js";

export interface JsonStyle {
  /** Escapes characters outside of ASCII. */
  isAscii?: boolean;
  endsLine?: boolean;
}

/** The folder that an export writes to. Paths are relative to it, with slashes, and cannot lead out of it. */
export interface TargetFolder {
  readonly directory: string;
  /** Throws if any of these paths exists, unless overwriting was requested. */
  claim(...paths: string[]): void;
  folder(path: string): void;
  text(path: string, text: string): void;
  /** Indents with two spaces per level. */
  json(path: string, value: unknown, style?: JsonStyle): void;
  /** JSON Lines. */
  lines(path: string, values: readonly unknown[], style?: JsonStyle): void;
  /** How many files were written. */
  files(): number;
}

export function openTarget(directory: string, { force }: { force: boolean }): TargetFolder {
  refuseGit(directory);
  let files = 0;
  const text = (path: string, content: string) => {
    const target = join(directory, path);
    checkInside(directory, target);
    writeWhole(target, content);
    files += 1;
  };
  return {
    directory,
    claim(...paths) {
      const taken = force ? undefined : paths.find((path) => existsSync(join(directory, path)));
      if (taken === undefined) return;
      throw new RalphError("already-exists", `There is already an export in ${directory}: ${taken}`, {
        hint: "choose another folder, or overwrite it with --force",
      });
    },
    folder(path) {
      checkInside(directory, join(directory, path));
      makeFolder(join(directory, path));
    },
    text,
    json: (path, value, style = {}) =>
      text(path, `${inStyle(JSON.stringify(value, null, 2), style)}${style.endsLine === false ? "" : "\n"}`),
    lines: (path, values, style = {}) =>
      text(path, values.map((value) => `${inStyle(JSON.stringify(value), style)}\n`).join("")),
    files: () => files,
  };
}

/** Writes a file and its folders; readers never see a partial file. */
export function writeWhole(path: string, content: string): void {
  withFileErrors(path, () => {
    makeFolder(dirname(path));
    if (!existsSync(path)) writeFileSync(path, content);
    else if (!statSync(path).isFile() || !readFileSync(path).equals(Buffer.from(content)))
      replaceFile(path, content);
  });
}

function inStyle(json: string, { isAscii = false }: JsonStyle): string {
  if (!isAscii) return json;
  return json.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
