/** Environment variables as passed in by the front end; nothing else reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;
