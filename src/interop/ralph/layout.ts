import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { realPathOf } from "../../files/path-inside.js";
import type { ForeignFile } from "../../memory/imports/foreign-record.js";
import type { Layout, ReadOptions } from "../layout.js";
import { openSource } from "../source-folder.js";
import { notesFile, readNotes, writeNotes } from "./notes.js";
import { readTasks, tasksFile, writeTasks } from "./tasks.js";

/** Its folders in each version, newest first. */
const places = [join(".ralph", "agent"), ".agent"];

/** The memories and tasks of ralph-orchestrator. */
export const ralphLayout: Layout = {
  name: "ralph",
  find: ({ root }) => places.map((place) => join(root, place)).filter((folder) => hasOthers(folder, root)),
  read,
  async write(source, target) {
    target.claim(notesFile, tasksFile);
    return { note: await writeNotes(source, target), task: await writeTasks(source, target) };
  },
};

function* read(path: string, options: ReadOptions): Generator<ForeignFile> {
  const { folder, names } = filesAt(path);
  const source = openSource(folder);
  const isNamed = (name: string) => names.includes(name) && source.has(name);
  if (!isNamed(notesFile) && !isNamed(tasksFile))
    throw new RalphError("not-found", `There is no ${notesFile} or ${tasksFile} in ${folder}`, {
      hint: `name the folder, such as ${places[0]}`,
    });
  if (isNamed(notesFile)) {
    if (isOwn(folder, options.surroundings.root))
      options.onSkipped(`${notesFile}: it holds the notes of this project`);
    else yield* readNotes(source, options);
  }
  if (isNamed(tasksFile)) yield* readTasks(source);
}

/** A folder with these files, one of the files, or a project with such a folder. */
function filesAt(path: string): { folder: string; names: string[] } {
  const all = [notesFile, tasksFile];
  if (all.includes(basename(path)) && statSync(path, { throwIfNoEntry: false })?.isFile())
    return { folder: dirname(path), names: [basename(path)] };
  const folder = [path, ...places.map((place) => join(path, place))].find((each) =>
    all.some((name) => existsSync(join(each, name))),
  );
  return { folder: folder ?? path, names: all };
}

function hasOthers(folder: string, root: string): boolean {
  return (existsSync(join(folder, notesFile)) && !isOwn(folder, root)) || existsSync(join(folder, tasksFile));
}

/** Ralph stores its own notes in the older place. */
function isOwn(folder: string, root: string): boolean {
  return realPathOf(folder) === realPathOf(join(root, ".agent"));
}
