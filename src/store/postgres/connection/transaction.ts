import type { Client, QueryResult } from "pg";
import type { Sql, SqlValue } from "../../sql.js";
import { isTransactionOver } from "./postgres-errors.js";
import { send } from "./statement.js";

/** What a transaction waits for before it begins: all other writers of the project, or only those of the rows that it changes. */
export type TransactionLock = "project" | "rows";

/** Frees the locks of a client that is frozen in the middle of a transaction. */
const frozenAfter = "5s";
const change = /^\s*(?:INSERT|UPDATE|DELETE)\b/i;

/** One transaction in four thousand deletes the tokens that nobody asks for any more; otherwise they would soon fill the database. */
const cleaningTokens = "000";
const deleteOldTokens = `DELETE FROM commit_tokens WHERE commit_tokens.project = :project
    AND created < now() - interval '30 minutes' AND (NOT is_late OR created < now() - interval '7 days')`;

/** The statements of one transaction. They are answered in order; what nobody needs an answer to is not waited for. */
export class PostgresTransaction {
  readonly sql: Sql;
  readonly #client: Client;
  readonly #project: number;
  /** The first that failed; all statements after it fail as well. */
  #failure: { cause: unknown } | undefined;
  #hasWritten = false;
  #hasToken = false;
  #hasEnded = false;

  constructor(client: Client, project: number) {
    this.#client = client;
    this.#project = project;
    const rows = async (text: string, values: readonly SqlValue[]) => (await this.#run(text, values)).rows;
    this.sql = {
      all: async <Row>(text: string, ...values: SqlValue[]) => (await rows(text, values)) as Row[],
      get: async <Row>(text: string, ...values: SqlValue[]) =>
        (await rows(text, values))[0] as Row | undefined,
      run: async (text, ...values) => (await this.#run(text, values)).rowCount ?? 0,
      write: async (text, ...values) => void this.#run(text, values),
      insert: async (keyColumn, text, ...values) =>
        (await this.sql.get<{ key: number }>(`${text} RETURNING ${keyColumn} AS key`, ...values))?.key ?? 0,
    };
  }

  begin(lock: TransactionLock, lockTimeoutMs: number): void {
    this.#note(
      this.#client.query(
        `BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = '${frozenAfter}'`,
      ),
    );
    if (lock === "project")
      void this.#run("SELECT project FROM projects WHERE project = :project FOR UPDATE", []);
  }

  /**
   * Writes a token that is there if the transaction counts. False if an earlier try has counted, which is waited for if it is
   * still being committed. A late one is remembered for longer.
   */
  async addToken(token: string, isLate: boolean): Promise<boolean> {
    this.#hasToken = true;
    const added = await this.sql.run(
      `INSERT INTO commit_tokens (project, token, is_late) VALUES (:project, ?, ${isLate})
       ON CONFLICT (project, token) DO NOTHING`,
      token,
    );
    return added > 0;
  }

  async commit(token: string): Promise<void> {
    if (this.#hasWritten && !this.#hasToken) this.addToken(token, false).catch(() => undefined);
    if (this.#hasWritten && token.startsWith(cleaningTokens)) void this.#run(deleteOldTokens, []);
    this.#hasEnded = true;
    const { command } = await this.#note(this.#client.query("COMMIT"));
    // The server does not call it an error to commit what has failed before.
    if (this.#failure !== undefined) throw this.#failure.cause;
    if (command !== "COMMIT")
      throw new Error(`The transaction was not committed but answered with ${command}`);
  }

  async rollBack(): Promise<void> {
    this.#hasEnded = true;
    await this.#client.query("ROLLBACK");
  }

  /** The failure because of which a statement only says that the transaction is over. */
  causeOf(error: unknown): unknown {
    return isTransactionOver(error) ? (this.#failure?.cause ?? error) : error;
  }

  #run(text: string, values: readonly SqlValue[]): Promise<QueryResult> {
    if (this.#hasEnded) throw new Error("Transaction used after its end");
    this.#hasWritten ||= change.test(text);
    return this.#note(send(this.#client, this.#project, text, values));
  }

  #note<Result>(answer: Promise<Result>): Promise<Result> {
    answer.catch((cause: unknown) => {
      this.#failure ??= { cause };
    });
    return answer;
  }
}
