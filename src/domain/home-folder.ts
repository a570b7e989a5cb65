/** The user's home. Every command asks for it; Node's own module is loaded only where no variable tells, as it looks at that one first. */
export function homeFolder(): string {
  const { HOME } = process.env;
  return HOME && process.platform !== "win32" ? HOME : process.getBuiltinModule("node:os").homedir();
}
