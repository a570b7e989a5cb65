// A person's editor in a process of its own. It prepares a save, watches what Ralph does to the file, and saves at the chosen
// moment.
import {
  closeSync,
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

const statsOf = () => statSync(target, { throwIfNoEntry: false });
const listNames = () => readdirSync(dirname(target));

/** Spins until Ralph has come as far as `moment`: it wrote the new file, linked the old one to a second name, replaced it. */
function watch(moment, { names, inode }) {
  for (const end = Date.now() + patienceMs; Date.now() < end; ) {
    const { ino, nlink } = statsOf() ?? {};
    if (ino !== inode) return moment === "replaced";
    if (moment === "linked" && nlink > 1) return true;
    if (moment === "prepared" && listNames().some((name) => !names.has(name))) return true;
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
  const before = { names: new Set(listNames()), inode: statsOf()?.ino };
  process.send("ready", () => {
    const isSeen = watch(moment, before);
    spin(delayUs);
    save();
    process.send(isSeen ? "saved" : "saved late");
  });
});
process.on("disconnect", () => process.exit());
