/** The lines with anything in them that a version added and a merge does not have, whatever its line ends. */
export function lostLines(
  base: Buffer | undefined,
  versions: readonly [Buffer, Buffer],
  merged: Buffer,
): string[] {
  const [old, now] = [new Set(base && linesOf(base)), new Set(linesOf(merged))];
  return versions.flatMap(linesOf).filter((line) => !old.has(line) && !now.has(line) && /\S/.test(line));
}

function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/, "")
    .split(/\r*\n/)
    .map((line) => line.replace(/\r+$/, ""));
}
