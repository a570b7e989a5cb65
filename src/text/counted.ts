/** `1 note`, `2 notes`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `process 1`, `processes 1, 2`. */
export function listed(numbers: readonly number[], one: string, several: string): string {
  return `${numbers.length === 1 ? one : several} ${numbers.join(", ")}`;
}
