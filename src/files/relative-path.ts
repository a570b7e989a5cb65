import { isAbsolute, relative, sep } from "node:path";
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

/** What a tool did, as far as it names files. */
interface Told {
  params: Record<string, unknown>;
  output?: string;
  error?: string;
}

/** Makes paths in what a tool did relative to the project; commands and contents are unchanged. */
export function actionFromProject<Action extends Told>(root: string, action: Action): Action {
  const { params, output, error } = action;
  return {
    ...action,
    params: paramsFromProject(root, params),
    ...(output !== undefined && { output: textFromProject(root, output) }),
    ...(error !== undefined && { error: textFromProject(root, error) }),
  };
}

/** Makes paths among a tool's parameters relative to the project. */
export function paramsFromProject(root: string, params: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "string" && /(?:path|file)$/i.test(name) ? relativePath(root, value) : value,
    ]),
  );
}
