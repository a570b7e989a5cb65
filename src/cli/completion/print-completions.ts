export async function printCompletions(..._given: unknown[]): Promise<number> {
  return 0;
}
