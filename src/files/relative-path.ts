import { isAbsolute, relative, sep } from "node:path";

/** A file as the project names it: relative to its root where it lies inside, else as it is. */
export function relativePath(root: string, path: string): string {
  if (!isAbsolute(path)) return path.replace(/^\.\//, "");
  const way = relative(root, path);
  const isOutside = way === "" || way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
  return isOutside ? path : way;
}
