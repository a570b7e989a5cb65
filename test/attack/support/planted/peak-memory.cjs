// Tells, when the process ends by itself, how much memory it had at most, in kilobytes. What the system says of resources used
// begins with what the parent had when it forked, so the process's own figure is read where there is one.
const { readFileSync, writeSync } = require("node:fs");

process.on("exit", () => {
  try {
    writeSync(3, `${ownPeak() ?? process.resourceUsage().maxRSS}\n`);
  } catch {
    // Whoever started it does not listen.
  }
});

function ownPeak() {
  try {
    return /VmHWM:\s*(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
