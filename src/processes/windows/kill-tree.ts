/**
 * Windows has neither process groups nor signals that a program could answer: a program and what it started are ended together,
 * at once. What was started by a process that has ended already is not found.
 */
export function killTree(pid: number): void {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true });
}
