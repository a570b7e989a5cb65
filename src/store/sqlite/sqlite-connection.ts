import { setTimeout as pause } from "node:timers/promises";
import type { Sql, SqlValue } from "../sql.js";
import type { TransactionOptions } from "../store.js";
import { rollBack } from "./roll-back.js";
import type { SqliteDatabase, SqliteStatement } from "./sqlite-driver.js";
import { isBusy, translateSqliteError } from "./sqlite-errors.js";

export interface SqliteConnectionOptions {
  /** For messages. */
  path: string;
  /** How long to retry while another process writes. */
  busyTimeoutMs: number;
}

export interface ConnectionTransaction extends TransactionOptions {
  /** How long to retry while another process writes. */
  busyTimeoutMs?: number;
}

/** Of memory that nothing was in yet, each page takes longer to get than to read, so one command uses a few again and again. */
export const smallCache = "PRAGMA cache_size = 100;";
const briefStatements = 100;

/** Held until the process ends, because a connection that is collected as garbage is closed as well. */
const abandoned = new Set<SqliteConnection>();

/** One connection with a queue: while a transaction runs, everything else waits. */
export class SqliteConnection {
  /** Runs single statements outside any transaction. */
  readonly sql: Sql;
  /** The same, but gives up at once while another process writes. */
  readonly impatientSql: Sql;
  readonly #database: SqliteDatabase;
  readonly #options: SqliteConnectionOptions;
  readonly #statements = new Map<string, SqliteStatement>();
  #queue: Promise<unknown> = Promise.resolve();
  /** How much is in the queue, what runs included. */
  #queued = 0;
  #hasWritten = false;
  /** How many single statements the cache is small for. */
  #briefFor = briefStatements;
  #isCacheSmall = true;

  constructor(database: SqliteDatabase, options: SqliteConnectionOptions) {
    this.#database = database;
    this.#options = options;
    this.sql = this.#singleStatements(options.busyTimeoutMs);
    this.impatientSql = this.#singleStatements(0);
  }

  /** Whether anything was or may have been changed through this connection. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** Runs `work` between BEGIN IMMEDIATE and COMMIT, and rolls back if it throws. */
  transaction<Result>(
    work: (sql: Sql) => Promise<Result>,
    { busyTimeoutMs = this.#options.busyTimeoutMs, isRebuildable = false }: ConnectionTransaction = {},
  ): Promise<Result> {
    return this.#enqueue(async () => {
      if (!isRebuildable) return this.#runTransaction(work, busyTimeoutMs);
      // It can only be set between transactions. The log is synced with the next record, and before it is moved.
      this.#database.exec("PRAGMA synchronous = NORMAL");
      try {
        return await this.#runTransaction(work, busyTimeoutMs);
      } finally {
        this.#database.exec("PRAGMA synchronous = FULL");
      }
    });
  }

  async #runTransaction<Result>(work: (sql: Sql) => Promise<Result>, busyTimeoutMs: number): Promise<Result> {
    await this.#retryWhileBusy(() => this.#database.exec("BEGIN IMMEDIATE"), busyTimeoutMs);
    this.#hasWritten = true;
    const { sql, end } = this.#transactionSql();
    try {
      // What is written stays in the cache until the end, and may be much.
      this.#growCache();
      const result = await work(sql);
      end();
      await this.#retryWhileBusy(() => this.#database.exec("COMMIT"));
      return result;
    } catch (error) {
      end();
      rollBack(this.#database);
      throw translateSqliteError(error, this.#options.path);
    }
  }

  /** For statements that cannot run inside a transaction, such as VACUUM. */
  exec(text: string): Promise<void> {
    return this.#enqueue(() => this.#retryWhileBusy(() => this.#database.exec(text)));
  }

  close(): Promise<void> {
    return this.#enqueue(async () => {
      this.#statements.clear();
      this.#database.close();
    });
  }

  /**
   * Instead of `close`, once another database or log has the name: SQLite deletes the log by its name, so closing would delete
   * the log of the database that took its place. What was recorded can still be read.
   */
  abandon(): void {
    abandoned.add(this);
  }

  #singleStatements(busyTimeoutMs: number): Sql {
    const run = <Result>(work: () => Result) => this.#runSingle(work, busyTimeoutMs);
    return {
      all: <Row>(text: string, ...values: SqlValue[]) =>
        run(() => this.#statement(text).all(...values) as Row[]),
      get: <Row>(text: string, ...values: SqlValue[]) =>
        run(() => this.#statement(text).get(...values) as Row | undefined),
      run: (text, ...values) =>
        run(() => {
          this.#hasWritten = true;
          return Number(this.#statement(text).run(...values).changes);
        }),
      write: (text, ...values) =>
        run(() => {
          this.#hasWritten = true;
          this.#statement(text).run(...values);
        }),
      insert: (keyColumn, text, ...values) =>
        run(() => {
          this.#hasWritten = true;
          return keyOf(this.#statement(returning(text, keyColumn)).get(...values));
        }),
    };
  }

  #transactionSql(): { sql: Sql; end: () => void } {
    let hasEnded = false;
    const statement = (text: string) => {
      if (hasEnded) throw new Error("Transaction used after its end");
      return this.#statement(text);
    };
    const sql: Sql = {
      all: async <Row>(text: string, ...values: SqlValue[]) => statement(text).all(...values) as Row[],
      get: async <Row>(text: string, ...values: SqlValue[]) =>
        statement(text).get(...values) as Row | undefined,
      run: async (text, ...values) => Number(statement(text).run(...values).changes),
      write: async (text, ...values) => {
        statement(text).run(...values);
      },
      insert: async (keyColumn, text, ...values) =>
        keyOf(statement(returning(text, keyColumn)).get(...values)),
    };
    const end = () => {
      hasEnded = true;
    };
    return { sql, end };
  }

  #statement(text: string): SqliteStatement {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#database.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  /** At once while nothing is queued, as mostly nothing is: each statement would wait for several promises. */
  #runSingle<Result>(work: () => Result, busyTimeoutMs: number): Promise<Result> {
    if (this.#queued > 0) return this.#enqueue(() => this.#retryWhileBusy(work, busyTimeoutMs));
    const deadline = performance.now() + busyTimeoutMs;
    try {
      this.#briefFor -= 1;
      if (this.#briefFor === 0) this.#growCache();
      return Promise.resolve(work());
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline)
        return Promise.reject(translateSqliteError(error, this.#options.path));
    }
    return this.#enqueue(async () => {
      await this.#pause(0);
      return this.#retryWhileBusy(work, deadline - performance.now());
    });
  }

  /** A process that asks so much more keeps what it has read. */
  #growCache(): void {
    if (this.#isCacheSmall) this.#database.exec("PRAGMA cache_size = -2000");
    this.#isCacheSmall = false;
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const ended = () => {
      this.#queued -= 1;
    };
    const isFirst = this.#queued === 0;
    this.#queued += 1;
    const result = isFirst ? work() : this.#queue.then(work);
    this.#queue = result.then(ended, ended);
    return result;
  }

  /** Retries with growing random pauses while another process writes. */
  async #retryWhileBusy<Result>(
    work: () => Result,
    busyTimeoutMs = this.#options.busyTimeoutMs,
  ): Promise<Result> {
    const deadline = performance.now() + busyTimeoutMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline)
          throw translateSqliteError(error, this.#options.path);
      }
      await this.#pause(attempt);
    }
  }

  #pause(attempt: number): Promise<void> {
    return pause(Math.random() * Math.min(100, 5 * 2 ** attempt));
  }
}

function returning(statement: string, keyColumn: string): string {
  return `${statement} RETURNING ${keyColumn} AS key`;
}

function keyOf(row: unknown): number {
  return (row as { key: number }).key;
}
