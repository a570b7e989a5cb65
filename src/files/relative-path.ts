import { isAbsolute, relative, sep } from "node:path";

/** A path relative to the project's root; paths outside it stay as they are. */
export function relativePath(root: string, path: string): string {
  if (!isAbsolute(path)) return path.replace(/^\.\//, "");
  const inner = relative(root, path);
  const isOutside = inner === "" || inner === ".." || inner.startsWith(`..${sep}`) || isAbsolute(inner);
  return isOutside ? path : inner;
}
