/** JSON as people and tools like it: two spaces, a final line end. */
export function renderJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  // JSON leaves these as they are, and a terminal obeys them.
  return `${text.replace(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)}\n`;
}
