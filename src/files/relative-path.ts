import { isAbsolute, relative, resolve, sep } from "node:path";
import { isInside } from "./path-inside.js";

/** A path relative to the project's root, with slashes on every system; paths outside it stay as they are. */
export function relativePath(root: string, path: string, system = { isAbsolute, relative, sep }): string {
  if (!system.isAbsolute(path)) return path.replaceAll(system.sep, "/").replace(/^\.\//, "");
  const inner = system.relative(root, path);
  const isOutside = inner === "" || !isInside(root, path, system);
  return isOutside ? path : inner.replaceAll(system.sep, "/");
}

/** Makes paths in a text relative to the project. */
export function textFromProject(root: string, text: string): string {
  return text.replaceAll(`file://${root}/`, "").replaceAll(`${root}/`, "");
}

/** The parts of an action that may contain paths. */
interface Told {
  type?: string;
  params: Record<string, unknown>;
  output?: string;
  error?: string;
}

/** Makes paths in an action relative to the project, including a command's folder; contents are unchanged. */
export function actionFromProject<Action extends Told>(root: string, action: Action, folder = root): Action {
  const { type, params, output, error } = action;
  return {
    ...action,
    params: paramsFromProject(root, type === "bash" ? withFolder(root, params, folder) : params),
    ...(output !== undefined && { output: textFromProject(root, output) }),
    ...(error !== undefined && { error: textFromProject(root, error) }),
  };
}

/** Parameters by which Gemini CLI, Qwen Code and opencode name the folder of a command. */
const folderParams = ["dir_path", "directory", "workdir"];

/** A command preceded by `cd` to its folder in the project, unless it may have changed folders itself. */
function withFolder(root: string, params: Told["params"], folder: string): Told["params"] {
  const { command } = params;
  const named = folderParams.map((name) => params[name]).find((value) => typeof value === "string");
  const entered = named === undefined ? folder : resolve(folder, named);
  if (typeof command !== "string" || entered === root || !isInside(root, entered)) return params;
  if (named === undefined && /\b(?:cd|pushd)\b/.test(command)) return params;
  return { ...params, command: `cd "${entered}"${command.startsWith("#") ? "\n" : " && "}${command}` };
}

/** Makes paths among a tool's parameters relative to the project. */
export function paramsFromProject(root: string, params: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (typeof value !== "string") return [name, value];
      if (name === "command") return [name, commandFromProject(root, value)];
      return [name, /(?:path|file)$/i.test(name) ? relativePath(root, value) : value];
    }),
  );
}

const entering = /^cd\s+(?:"(?<quoted>[^"]+)"|(?<plain>[^"'\s;&|]+))(?<then>[ \t]*(?:&&|;|\n)\s*)/;

/** A command as run in the project's root: `cd /home/dev/app/api && npm test` enters `api`. */
function commandFromProject(root: string, command: string): string {
  const { quoted, plain, then } = entering.exec(command)?.groups ?? {};
  const folder = quoted ?? plain ?? "";
  if (!isAbsolute(folder) || !isInside(root, folder)) return command;
  const inner = relative(root, folder).replaceAll(sep, "/");
  const name = /^[\w./@+-]+$/.test(inner) ? inner : `"${inner}"`;
  return command.replace(entering, () => (inner === "" ? "" : `cd ${name}${then}`));
}
