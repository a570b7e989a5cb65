// Kills a process the moment it moves a file away from its name.
import { statSync } from "node:fs";

const [target, pid, delayUs] = process.argv.slice(2);
const inodeOf = () => statSync(target, { throwIfNoEntry: false })?.ino;
const inode = inodeOf();
for (const end = Date.now() + 3000; Date.now() < end && inodeOf() === inode; );
// Every other time at once.
if (Number(delayUs) > 30)
  for (const end = performance.now() + (Number(delayUs) - 30) / 1000; performance.now() < end; );
try {
  process.kill(Number(pid), "SIGKILL");
} catch {
  // It has ended.
}
