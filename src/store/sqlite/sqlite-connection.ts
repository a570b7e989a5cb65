import { setTimeout as pause } from "node:timers/promises";
import type { Sql, SqlValue } from "../sql.js";
import type { TransactionOptions } from "../store.js";
import type { SqliteDatabase, SqliteStatement } from "./sqlite-driver.js";
import { isBusy, translateSqliteError } from "./sqlite-errors.js";

interface SqliteConnectionOptions {
  /** For messages. */
  path: string;
  /** How long to retry while another process writes. */
  busyTimeoutMs: number;
}

interface ConnectionTransaction extends TransactionOptions {
  /** How long to retry while another process writes. */
  busyTimeoutMs?: number;
}

/** Held until the process ends, because a connection that is garbage-collected is closed as well. */
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
  #hasWritten = false;

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
      // SQLite allows this between transactions only. The log is synced with the next record, and before a checkpoint.
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
    let hasEnded = false;
    const sql = this.#sqlRunning(async (statement) => {
      if (hasEnded) throw new Error("Transaction used after its end");
      return statement();
    });
    try {
      const result = await work(sql);
      hasEnded = true;
      await this.#retryWhileBusy(() => this.#database.exec("COMMIT"));
      return result;
    } catch (error) {
      hasEnded = true;
      this.#rollBack();
      throw translateSqliteError(error, this.#options.path);
    }
  }

  #rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has already rolled back, as it does when the disk is full.
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
    const run = <Result>(statement: () => Result) =>
      this.#enqueue(() => this.#retryWhileBusy(statement, busyTimeoutMs));
    const sql = this.#sqlRunning(run);
    const written =
      <Args extends unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
      (...args: Args) => {
        this.#hasWritten = true;
        return write(...args);
      };
    return { ...sql, run: written(sql.run), write: written(sql.write), insert: written(sql.insert) };
  }

  /** The statements, each run by `run`. */
  #sqlRunning(run: <Result>(statement: () => Result) => Promise<Result>): Sql {
    return {
      all: <Row>(text: string, ...values: SqlValue[]) =>
        run(() => this.#statement(text).all(...values) as Row[]),
      get: <Row>(text: string, ...values: SqlValue[]) =>
        run(() => this.#statement(text).get(...values) as Row | undefined),
      run: (text, ...values) => run(() => Number(this.#statement(text).run(...values).changes)),
      write: (text, ...values) => run(() => void this.#statement(text).run(...values)),
      insert: (keyColumn, text, ...values) =>
        run(() => {
          const row = this.#statement(`${text} RETURNING ${keyColumn} AS key`).get(...values);
          return (row as { key: number }).key;
        }),
    };
  }

  #statement(text: string): SqliteStatement {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#database.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
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
      await pause(Math.random() * Math.min(100, 5 * 2 ** attempt));
    }
  }
}
