/** The variables that a front end hands in; nothing below it reads the process's own. */
export type Environment = Readonly<Record<string, string | undefined>>;
