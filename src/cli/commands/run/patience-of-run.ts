/** A run goes on for hours: it waits for a team's server that restarts or cannot be reached for a while. */
export const patienceOfRunMs = 15 * 60_000;
