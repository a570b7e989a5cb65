/** A path of the project in its parts; undefined for what is outside it, generated or installed. */
export interface ProjectPath {
  path: string;
  folders: string[];
  /** The file's name up to its first dot after the start. */
  stem: string;
  /** Without the dot; the last part. */
  extension: string;
  name: string;
}

const notOurs = /^(?:node_modules|vendor|dist|build|target|coverage|generated|__generated__|\.\w.*)$/;

export function projectPath(file: string): ProjectPath | undefined {
  const path = file.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
  if (/^(?:\/|[a-z]:|\.\.|~)/i.test(path)) return undefined;
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  const dot = name.lastIndexOf(".");
  if (dot <= 0 || folders.some((folder) => notOurs.test(folder))) return undefined;
  return {
    path,
    folders,
    name,
    stem: name.slice(0, name.indexOf(".", 1)),
    extension: name.slice(dot + 1).toLowerCase(),
  };
}

/** The folder that holds tests, if the path has one. */
export function testFolder(folders: readonly string[]): string | undefined {
  return folders.find((folder) => /^(?:tests?|specs?|__tests__|e2e)$/i.test(folder));
}

export function isMigration(folders: readonly string[]): boolean {
  return folders.some((folder) => /^(?:migrations?|migrate)$/i.test(folder));
}
