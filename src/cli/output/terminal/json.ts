/** JSON for programs: every byte of what was stored. */
export function renderJson(value: unknown): Uint8Array {
  return Buffer.from(jsonText(value));
}

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  // JSON.stringify does not escape these, and terminals interpret them.
  return `${text.replace(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)}\n`;
}
