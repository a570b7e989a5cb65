/** Environment variables as passed in by the front end, the only place that reads the process's own. */
export type Environment = Readonly<Record<string, string | undefined>>;
