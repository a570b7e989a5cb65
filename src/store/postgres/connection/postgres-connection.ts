import type { Client, QueryResult } from "pg";
import { monotonicMs } from "../../../domain/monotonic-ms.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { newUuid } from "../../../files/new-uuid.js";
import type { Sql, SqlValue } from "../../sql.js";
import { isConflict, isConnectionLost, translatePostgresError } from "./postgres-errors.js";
import { storable, translateStatement } from "./translate-statement.js";

export interface PostgresConnectionOptions {
  /** Makes a connection to the server. */
  connect(): Promise<Client>;
  /** Makes a project that has none yet, and returns its key. */
  makeProject(client: Client): Promise<number>;
  /** The address, for messages. */
  shown: string;
  /** How long to retry while others write or the server restarts. */
  patienceMs: number;
}

/** What a transaction waits for before it begins: all other writers of the project, or only those of the rows that it changes. */
export type TransactionLock = "project" | "rows";

interface TransactionOptions {
  lock?: TransactionLock;
  /** Of work that may have been done before, by a process that could not know it. */
  token?: string;
  patienceMs?: number;
}

/** A project that has not written yet has no rows. */
const noProject = -1;
/** Frees the lock of a client that is frozen in the middle of a transaction. */
const frozenAfter = "5s";

/**
 * One connection to a server. Statements that are started without waiting for each other travel together. While a transaction
 * runs, everything else waits. A lost connection is made again, and what was going on is repeated.
 */
export class PostgresConnection {
  /** Runs single statements outside any transaction. */
  readonly sql: Sql;
  /** The same, but gives up at once while another process writes. */
  readonly impatientSql: Sql;
  readonly #options: PostgresConnectionOptions;
  #client: Promise<Client> | undefined;
  #project: number;
  /** The last transaction that was asked for. */
  #queue: Promise<unknown> = Promise.resolve();
  /** The transaction that is under way. */
  #active: Promise<unknown> | undefined;

  constructor(options: PostgresConnectionOptions) {
    this.#options = options;
    this.#project = noProject;
    this.sql = this.#singleStatements(options.patienceMs);
    this.impatientSql = this.#singleStatements(0);
  }

  /** Says whose rows the statements are about; until then, and for a project without rows, they find nothing. */
  useProject(project: number): void {
    this.#project = project;
  }

  /** Runs `work`, again if its connection is lost or another writer was in its way, and makes sure that it counts once. */
  transaction<Result>(
    work: (sql: Sql) => Promise<Result>,
    { lock = "project", patienceMs = this.#options.patienceMs, token }: TransactionOptions = {},
  ): Promise<Result> {
    const result = this.#queue.then(() => this.#repeat(work, lock, patienceMs, token));
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.#queue;
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  #singleStatements(patienceMs: number): Sql {
    const read = <Result>(text: string, values: readonly SqlValue[], take: (result: QueryResult) => Result) =>
      this.#patiently(patienceMs, async () => {
        const client = await this.#connected();
        while (this.#active !== undefined) await this.#active.catch(() => undefined);
        return take(await send(client, this.#project, text, values));
      });
    const write = <Result>(work: (sql: Sql) => Promise<Result>) =>
      this.transaction(work, { lock: "rows", patienceMs });
    return {
      all: <Row>(text: string, ...values: SqlValue[]) => read(text, values, ({ rows }) => rows as Row[]),
      get: <Row>(text: string, ...values: SqlValue[]) =>
        read(text, values, ({ rows }) => rows[0] as Row | undefined),
      run: (text, ...values) => write((sql) => sql.run(text, ...values)),
      insert: (keyColumn, text, ...values) => write((sql) => sql.insert(keyColumn, text, ...values)),
    };
  }

  /** Repeats what may be repeated until it succeeds or takes too long. */
  async #patiently<Result>(patienceMs: number, work: () => Promise<Result>): Promise<Result> {
    const deadline = monotonicMs() + patienceMs;
    for (let tries = 0; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (isConnectionLost(error)) this.#forget();
        const mayRepeat = isConflict(error) || isConnectionLost(error);
        if (!mayRepeat || monotonicMs() >= deadline) throw translatePostgresError(error, this.#options.shown);
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(200, 10 * 2 ** tries)));
    }
  }

  async #repeat<Result>(
    work: (sql: Sql) => Promise<Result>,
    lock: TransactionLock,
    patienceMs: number,
    givenToken: string | undefined,
  ): Promise<Result> {
    const token = givenToken ?? newUuid();
    const unknown: { result: Result }[] = [];
    return this.#patiently(patienceMs, async () => {
      const client = await this.#connected();
      if (this.#project === noProject) this.#project = await this.#options.makeProject(client);
      const running = this.#attempt(client, this.#project, {
        ...{ work, lock, patienceMs, token, unknown },
        isGiven: givenToken !== undefined,
      });
      this.#active = running;
      try {
        return await running;
      } finally {
        this.#active = undefined;
      }
    });
  }

  /**
   * One try of a transaction. With its last statement it writes a token: if the answer to COMMIT is lost, the token says
   * whether the transaction counted, also to a repetition that meets the first one still at work.
   */
  async #attempt<Result>(
    client: Client,
    project: number,
    { work, lock, patienceMs, token, unknown, isGiven }: AttemptOptions<Result>,
  ): Promise<Result> {
    const waitMs = Math.max(1, Math.round(patienceMs));
    const begun = Promise.all([
      client.query(
        `BEGIN; SET LOCAL lock_timeout = ${waitMs}; SET LOCAL idle_in_transaction_session_timeout = '${frozenAfter}'`,
      ),
      lock === "project" &&
        send(client, project, "SELECT project FROM projects WHERE project = :project FOR UPDATE", []),
    ]);
    begun.catch(() => undefined);
    const { sql, end, hasWritten } = transactionSql(client, project);
    try {
      const earlier = unknown[0];
      if ((earlier !== undefined || isGiven) && (await isTokenThere(sql, token))) {
        if (earlier === undefined) throw new RalphError("already-exists", "This was delivered before");
        end();
        await client.query("ROLLBACK");
        return earlier.result;
      }
      const result = await work(sql);
      end();
      await begun;
      await this.#commit(client, project, hasWritten() ? token : undefined, () =>
        unknown.unshift({ result }),
      );
      return result;
    } catch (error) {
      end();
      client.query("ROLLBACK").catch(() => undefined);
      if (isTokenTaken(error) && unknown[0] !== undefined) return unknown[0].result;
      // Statements after one that failed only say that the transaction is over.
      const first = await begun.then(
        () => error,
        (cause: unknown) => cause,
      );
      throw first;
    }
  }

  async #commit(
    client: Client,
    project: number,
    token: string | undefined,
    onUnknown: () => void,
  ): Promise<void> {
    const writing =
      token === undefined
        ? undefined
        : send(client, project, "INSERT INTO commit_tokens (project, token) VALUES (:project, ?)", [token]);
    const committing = client.query("COMMIT");
    committing.catch(() => undefined);
    try {
      await writing;
      const { command } = await committing;
      if (command !== "COMMIT")
        throw new Error(`The transaction was not committed but answered with ${command}`);
    } catch (error) {
      if (token !== undefined && isConnectionLost(error)) onUnknown();
      throw error;
    }
  }

  #connected(): Promise<Client> {
    if (this.#client === undefined) {
      const connecting = this.#options.connect();
      this.#client = connecting;
      const forget = () => {
        if (this.#client === connecting) this.#client = undefined;
      };
      connecting.then((client) => {
        client.on("error", forget);
        client.on("end", forget);
      }, forget);
    }
    return this.#client;
  }

  #forget(): void {
    const lost = this.#client;
    this.#client = undefined;
    lost?.then((client) => client.end().catch(() => undefined)).catch(() => undefined);
  }
}

interface AttemptOptions<Result> {
  work: (sql: Sql) => Promise<Result>;
  lock: TransactionLock;
  patienceMs: number;
  token: string;
  isGiven: boolean;
  /** Results of earlier tries of which nobody knows whether they count. */
  unknown: { result: Result }[];
}

function send(
  client: Client,
  project: number,
  statement: string,
  values: readonly SqlValue[],
): Promise<QueryResult> {
  const { text, projectAt } = translateStatement(statement);
  const bound = values.map(storable);
  if (projectAt !== undefined) bound.push(project);
  return client.query(text, bound);
}

function transactionSql(
  client: Client,
  project: number,
): { sql: Sql; end: () => void; hasWritten: () => boolean } {
  let hasEnded = false;
  let hasWritten = false;
  const run = (statement: string, values: readonly SqlValue[], isWriting: boolean) => {
    if (hasEnded) throw new Error("Transaction used after its end");
    hasWritten ||= isWriting;
    return send(client, project, statement, values);
  };
  const sql: Sql = {
    all: async <Row>(text: string, ...values: SqlValue[]) =>
      (await run(text, values, /^\s*(?:INSERT|UPDATE|DELETE)/i.test(text))).rows as Row[],
    get: async <Row>(text: string, ...values: SqlValue[]) =>
      (await run(text, values, /^\s*(?:INSERT|UPDATE|DELETE)/i.test(text))).rows[0] as Row | undefined,
    run: async (text, ...values) => (await run(text, values, true)).rowCount ?? 0,
    insert: async (keyColumn, text, ...values) => {
      const { rows } = await run(`${text} RETURNING ${keyColumn} AS key`, values, true);
      return (rows[0] as { key: number }).key;
    },
  };
  const end = () => {
    hasEnded = true;
  };
  return { sql, end, hasWritten: () => hasWritten };
}

async function isTokenThere(sql: Sql, token: string): Promise<boolean> {
  const found = await sql.get(
    "SELECT token FROM commit_tokens WHERE project = :project AND token = ?",
    token,
  );
  return found !== undefined;
}

function isTokenTaken(error: unknown): boolean {
  return error instanceof Error && "constraint" in error && error.constraint === "commit_tokens_pkey";
}
