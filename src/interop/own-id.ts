/** Whether another tool's record has the name of one of ours, as those have that an export wrote. */
export function isOwnId(name: string): boolean {
  return /^(?:mem-\d+-[0-9a-f]{4}|learn-[0-9a-f]{6,}|task-\d{3,})$/.test(name);
}
