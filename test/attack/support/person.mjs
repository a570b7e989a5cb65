// A person's editor in a process of its own. It prepares a save, watches what Ralph does to the file's folders, and saves
// at the chosen moment: told by the names that appear, not by the clock.
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";

const [target, root] = process.argv.slice(2);
const patienceMs = 3000;

const inodeOf = () => statSync(target, { throwIfNoEntry: false })?.ino;

const replaced = join(root, ".ralph", "replaced");
// Looked up once, because each look in between makes the person late.
const folders = [
  dirname(target),
  ...readdirIfThere(replaced)
    .map((name) => join(replaced, name))
    .filter((path) => statSync(path).isDirectory()),
];

function readdirIfThere(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}

const listNames = () => folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));

/** Spins until Ralph has come as far as `moment`: it writes a new file, moves or links the old one, has replaced it. */
function watch(moment, { names, inode }) {
  const wanted = moment === "prepared" ? 1 : 2;
  for (const end = Date.now() + patienceMs; Date.now() < end; ) {
    if (moment !== "replaced" && listNames().filter((name) => !names.has(name)).length >= wanted) return true;
    if (inodeOf() !== inode) return moment === "replaced";
  }
  return false;
}

function spin(microseconds) {
  for (const end = performance.now() + microseconds / 1000; performance.now() < end; );
}

/** Reads the file as an editor that opened it a while ago, and returns what saves it. */
function prepare(kind, line) {
  if (kind === "append") {
    const file = openSync(target, "a");
    return () => {
      writeSync(file, line);
      closeSync(file);
    };
  }
  const content = Buffer.concat([readFileSync(target), Buffer.from(line)]);
  if (kind === "rename") {
    const other = join(root, "saved.swp");
    writeFileSync(other, content);
    return () => renameSync(other, target);
  }
  const file = openSync(target, "r+");
  return () => {
    ftruncateSync(file, 0);
    writeSync(file, content, 0, content.length, 0);
    closeSync(file);
  };
}

process.on("message", ({ kind, line, moment, delayUs }) => {
  const save = prepare(kind, line);
  const before = { names: new Set(listNames()), inode: inodeOf() };
  process.send("ready", () => {
    const isSeen = watch(moment, before);
    spin(delayUs);
    save();
    process.send(isSeen ? "saved" : "saved late");
  });
});
process.on("disconnect", () => process.exit());
