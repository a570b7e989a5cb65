import {
  type FailureReader,
  type Groups,
  readBlocks,
  readersOf,
  readLines,
  textsOf,
  valueBehind,
} from "../failure-reader.js";

/** Psql, mysql, sqlite3 and the servers' own logs. */
const readClients = readLines(
  /^psql:(?<file>[^:]+):(?<line>\d+): (?:ERROR|FATAL): +(?<message>.+)$/,
  /^(?:psql: error: .*)?(?:ERROR|FATAL|PANIC): {2}(?<message>\S.+)$/,
  /^ERROR (?<code>\d{4} \(\w{5}\))(?: at line (?<line>\d+))?(?: in file: '(?<file>[^']+)')?: (?<message>.+)$/,
  /^(?:Parse|Runtime) error near line (?<line>\d+): (?<message>.+)$/,
);

const readMigrations = readLines(
  /^migration failed with error: (?<message>.+)$/,
  /^(?:error: )?migration failed(?: in line \d+)?: (?<message>.+?)(?: in line \d+: .*)?$/,
  /^(?:FAILED: |ERROR \[alembic\.\S+\] )(?<message>.+)$/,
  /^goose run: (?:ERROR )?(?<message>.+)$/,
  /^\*\* \((?<code>(?:Postgrex|MyXQL|Exqlite|DBConnection|Ecto)\.\w+)\) (?:ERROR \w{5} \(\w+\) )?(?<message>.+)$/,
);

/** The name of the migration and the server's message stand in their own paragraphs. */
const readPrisma = readBlocks(/^Error: (?<code>P\d{4})(?:: (?<message>.+))?$/, ({ groups, body }) => {
  const texts = textsOf(body);
  const start = texts.findIndex((line) => line.startsWith("Database error:"));
  const server = [texts[start]?.slice("Database error:".length).trim(), texts[start + 1]].find(Boolean);
  const message =
    start < 0 ? (groups.message ?? texts[0]) : server?.replace(/^(?:ERROR: +|Database error\s*)/, "");
  return { message };
});

/** The table below a failed script of Flyway. */
const readFlyway = readBlocks(
  /^SQL State +: (?<state>\w+)$/,
  ({ body }): Groups | undefined => {
    const fieldOf = (name: string) => valueBehind(body, name)?.replace(/^: /, "");
    const message = fieldOf("Message")?.replace(/^ERROR: /, "");
    return message === undefined
      ? undefined
      : { message, file: fieldOf("Location")?.replace(/ \(.*$/, ""), line: fieldOf("Line") };
  },
  /^$/,
);

/** Rails says first that a migration failed, then why. */
const readRails = readBlocks(
  /^(?:rails|rake|bin\/rails) aborted!$/,
  ({ body }) => {
    const thrown = body.find(
      (line) => /^[A-Z]\w*(?:::\w+)*: \S/.test(line) && !/^StandardError: An error has occurred/.test(line),
    );
    const [, code, message] = /^([\w:]+): (?:ERROR: +)?(.+)$/.exec(thrown ?? "") ?? [];
    const place = body
      .map((line) => /^(?<file>\/?[^\s:]+\.rb):(?<line>\d+):in /.exec(line)?.groups)
      .find((found) => found !== undefined && !found.file?.includes("/gems/"));
    if (message !== undefined) return { code, message, ...place };
    const [first, second = ""] = textsOf(body);
    const told = first?.endsWith(":") ? `${first} ${second}` : first;
    return told === undefined ? undefined : { message: told, ...place };
  },
  /^Tasks: TOP/,
);

const readDjango = readLines(/^(?<model>\S+): \((?<code>\w+\.[EC]\d{3})\) (?<message>.+)$/);

export const databaseReaders: FailureReader[] = [
  readersOf("prisma", readPrisma),
  readersOf("flyway", readFlyway),
  readersOf("rails", readRails),
  readersOf("django", readDjango),
  readMigrations,
  readClients,
];
