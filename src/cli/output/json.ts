/** JSON as people and tools like it: two spaces, a final line end. */
export function renderJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
