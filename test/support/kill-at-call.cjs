// Loaded before a program: it dies (-9) right before or behind a system call on a file, the n-th time it makes it.
const fs = require("node:fs");

const [moment, call, name, times = "1"] = (process.env.KILL_AT ?? "").split(",");
const original = fs[call];
let left = Number(times);
fs[call] = (from, to) => {
  const isMeant = to.endsWith(`/${name}`);
  if (isMeant) left -= 1;
  const isNow = isMeant && left === 0;
  if (isNow && moment === "before") process.kill(process.pid, "SIGKILL");
  original(from, to);
  if (isNow) process.kill(process.pid, "SIGKILL");
};
require("node:module").syncBuiltinESMExports();
