/** The folder that this process works in; undefined if somebody has removed it. */
export function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
