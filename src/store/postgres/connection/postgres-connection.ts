import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import { RalphError } from "../../../domain/ralph-error.js";
import type { Sql, SqlValue } from "../../sql.js";
import { cutConnection } from "./connect.js";
import { isConflict, isConnectionLost, translatePostgresError } from "./postgres-errors.js";
import { send } from "./statement.js";
import { PostgresTransaction, type TransactionLock } from "./transaction.js";

export interface PostgresConnectionOptions {
  connect(): Promise<Client>;
  /** Makes a project that has none yet, and returns its number. */
  makeProject(client: Client): Promise<number>;
  /** The address, for messages. */
  shown: string;
  /** How long to retry while others write or the server restarts. */
  patienceMs: number;
  /** Called when the server has been gone for a while and is waited for, once until it is back. */
  onWaiting?: (() => void) | undefined;
}

interface TransactionOptions {
  lock?: TransactionLock;
  /** Of work that may have been done before, by a process that could not know it. */
  token?: string;
  patienceMs?: number;
}

/** How long a server may take to hear that the connection ends. */
const goodbyeMs = 500;
/** A server that restarts is back by then. */
const reportedAfterMs = 1_500;
/** A project that has not written yet has no rows. */
const noProject = -1;

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
  #project = noProject;
  /** The last transaction that was asked for. */
  #queue: Promise<unknown> = Promise.resolve();
  /** The transaction that is under way. */
  #active: Promise<unknown> | undefined;
  #isWaitingReported = false;

  constructor(options: PostgresConnectionOptions) {
    this.#options = options;
    this.sql = this.#singleStatements(options.patienceMs);
    this.impatientSql = this.#singleStatements(0);
  }

  /** Sets whose rows the statements are about; until then they find nothing. */
  useProject(project: number): void {
    this.#project = project;
  }

  /** Runs `work`, again if its connection is lost or another writer was in its way, and makes sure that it counts once. */
  transaction<Result>(
    work: (sql: Sql) => Promise<Result>,
    { lock = "project", patienceMs = this.#options.patienceMs, token }: TransactionOptions = {},
  ): Promise<Result> {
    const attempt: Attempt<Result> = { ...{ work, lock, patienceMs }, token: token ?? randomUUID() };
    if (token !== undefined) attempt.mayHaveCounted = "delivered late";
    const result = this.#queue.then(() => this.#patiently(patienceMs, () => this.#attempt(attempt)));
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.#queue;
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    if (client === undefined) return;
    const giveUp = setTimeout(() => cutConnection(client), goodbyeMs);
    await client.end().catch(() => undefined);
    clearTimeout(giveUp);
  }

  #singleStatements(patienceMs: number): Sql {
    const read = (text: string, values: readonly SqlValue[]): Promise<unknown[]> =>
      this.#patiently(patienceMs, async () => {
        const client = await this.#connected();
        while (this.#active !== undefined) await this.#active.catch(() => undefined);
        return (await send(client, this.#project, text, values)).rows;
      });
    const write = <Result>(work: (sql: Sql) => Promise<Result>) =>
      this.transaction(work, { lock: "rows", patienceMs });
    return {
      all: async <Row>(text: string, ...values: SqlValue[]) => (await read(text, values)) as Row[],
      get: async <Row>(text: string, ...values: SqlValue[]) =>
        (await read(text, values))[0] as Row | undefined,
      run: (text, ...values) => write((sql) => sql.run(text, ...values)),
      write: (text, ...values) => write((sql) => sql.write(text, ...values)),
      insert: (keyColumn, text, ...values) => write((sql) => sql.insert(keyColumn, text, ...values)),
    };
  }

  /** Repeats what may be repeated until it succeeds or takes too long. */
  async #patiently<Result>(patienceMs: number, work: () => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    for (let tries = 0; ; tries += 1) {
      try {
        const result = await work();
        this.#isWaitingReported = false;
        return result;
      } catch (error) {
        const isLost = isConnectionLost(error);
        if (isLost) this.#forget();
        const waitedMs = performance.now() - begun;
        if (!(isLost || isConflict(error)) || waitedMs >= patienceMs)
          throw translatePostgresError(error, this.#options.shown);
        if (isLost && waitedMs > reportedAfterMs && !this.#isWaitingReported) {
          this.#isWaitingReported = true;
          this.#options.onWaiting?.();
        }
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(200, 10 * 2 ** tries)));
    }
  }

  async #attempt<Result>(attempt: Attempt<Result>): Promise<Result> {
    const client = await this.#connected();
    if (this.#project === noProject) this.#project = await this.#options.makeProject(client);
    const transaction = new PostgresTransaction(client, this.#project);
    const running = runTransaction(transaction, attempt);
    this.#active = running;
    try {
      return await running;
    } catch (error) {
      const cause = transaction.causeOf(error);
      if (isConnectionLost(cause)) attempt.mayHaveCounted ??= "earlier try";
      else transaction.rollBack().catch(() => undefined);
      throw cause;
    } finally {
      this.#active = undefined;
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
    lost?.then(cutConnection, () => undefined);
  }
}

/** A transaction that is tried until it counts. */
interface Attempt<Result> {
  work: (sql: Sql) => Promise<Result>;
  lock: TransactionLock;
  patienceMs: number;
  token: string;
  /** An earlier try, by this process or another one, may have been committed without its answer arriving. */
  mayHaveCounted?: "earlier try" | "delivered late";
  /** Of the last try that came as far as COMMIT. */
  result?: { value: Result };
}

async function runTransaction<Result>(
  transaction: PostgresTransaction,
  attempt: Attempt<Result>,
): Promise<Result> {
  const { work, lock, patienceMs, token, mayHaveCounted } = attempt;
  transaction.begin(lock, Math.max(1, Math.round(patienceMs)));
  if (mayHaveCounted !== undefined) {
    const isFirst = await transaction.addToken(token, mayHaveCounted === "delivered late");
    if (!isFirst) {
      await transaction.rollBack();
      if (attempt.result !== undefined) return attempt.result.value;
      throw new RalphError("already-exists", "This was delivered before");
    }
  }
  const value = await work(transaction.sql);
  attempt.result = { value };
  await transaction.commit(token);
  return value;
}
