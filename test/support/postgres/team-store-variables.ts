/** Whether the records of every project are on PostgreSQL. */
export function isOnTeamStore(): boolean {
  return Boolean(process.env.RALPH_TEST_STORE_URL);
}

/** What makes a memory use a team's store, when the whole suite runs with one: `npm run test:postgres`. */
export function teamStoreVariables(): Record<string, string> {
  const address = process.env.RALPH_TEST_STORE_URL;
  return address ? { RALPH_STORE_URL: address } : {};
}
