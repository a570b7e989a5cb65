import type { Client, QueryResult } from "pg";
import type { Sql, SqlValue } from "../../sql.js";
import { isConnectionLost, isTransactionOver } from "./postgres-errors.js";
import { send } from "./send.js";

/** What a transaction waits for before it begins: all other writers of the project, or only those of the rows that it changes. */
export type TransactionLock = "project" | "rows";

/** Frees the lock of a client that is frozen in the middle of a transaction. */
const frozenAfter = "5s";
const change = /^\s*(?:INSERT|UPDATE|DELETE)\b/i;

/**
 * One transaction in four thousand deletes the tokens that nobody asks for any more: whoever lost a connection asks within
 * minutes, and what was delivered late may be delivered again days later. Otherwise they would soon be most of the database.
 */
const cleaningTokens = "000";
const forgetOldTokens = `DELETE FROM commit_tokens WHERE commit_tokens.project = :project
    AND created < now() - interval '30 minutes' AND (NOT is_late OR created < now() - interval '7 days')`;

/**
 * The statements of one transaction. They are answered in order, so what nobody needs an answer to is not waited for; what
 * fails makes all that follows fail.
 */
export class TransactionStatements {
  readonly sql: Sql;
  readonly #client: Client;
  readonly #project: number;
  /** The first that failed. */
  #failure: { cause: unknown } | undefined;
  #hasWritten = false;
  #hasEnded = false;

  constructor(client: Client, project: number) {
    this.#client = client;
    this.#project = project;
    const rows = async (text: string, values: readonly SqlValue[]) =>
      (await this.#run(text, values, change.test(text))).rows;
    this.sql = {
      all: async <Row>(text: string, ...values: SqlValue[]) => (await rows(text, values)) as Row[],
      get: async <Row>(text: string, ...values: SqlValue[]) =>
        (await rows(text, values))[0] as Row | undefined,
      run: async (text, ...values) => (await this.#run(text, values, true)).rowCount ?? 0,
      write: async (text, ...values) => {
        this.#run(text, values, true);
      },
      insert: async (keyColumn, text, ...values) => {
        const { rows: added } = await this.#run(`${text} RETURNING ${keyColumn} AS key`, values, true);
        return (added[0] as { key: number }).key;
      },
    };
  }

  begin(lock: TransactionLock, lockTimeoutMs: number): void {
    this.#note(
      this.#client.query(
        `BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = '${frozenAfter}'`,
      ),
    );
    if (lock === "project")
      this.#run("SELECT project FROM projects WHERE project = :project FOR UPDATE", [], false);
  }

  /**
   * Writes the token with its last statement; a late one is remembered for longer. `onUnknown` is called when nobody knows
   * whether it counts.
   */
  async commit(token: string, { isLate }: { isLate: boolean }, onUnknown: () => void): Promise<void> {
    if (this.#hasWritten) {
      this.#run(
        `INSERT INTO commit_tokens (project, token, is_late) VALUES (:project, ?, ${isLate})`,
        [token],
        true,
      );
      if (token.startsWith(cleaningTokens)) this.#run(forgetOldTokens, [], true);
    }
    this.#hasEnded = true;
    try {
      const { command } = await this.#note(this.#client.query("COMMIT"));
      // The server does not call it an error to commit what has failed before.
      if (this.#failure !== undefined) throw this.#failure.cause;
      if (command !== "COMMIT")
        throw new Error(`The transaction was not committed but answered with ${command}`);
    } catch (error) {
      if (this.#hasWritten && isConnectionLost(error)) onUnknown();
      throw error;
    }
  }

  async rollBack(): Promise<void> {
    this.#hasEnded = true;
    await this.#client.query("ROLLBACK");
  }

  /** The failure because of which a statement only says that the transaction is over. */
  causeOf(error: unknown): unknown {
    return isTransactionOver(error) ? (this.#failure?.cause ?? error) : error;
  }

  #run(text: string, values: readonly SqlValue[], isWriting: boolean): Promise<QueryResult> {
    if (this.#hasEnded) throw new Error("Transaction used after its end");
    this.#hasWritten ||= isWriting;
    return this.#note(send(this.#client, this.#project, text, values));
  }

  #note<Result>(answer: Promise<Result>): Promise<Result> {
    answer.catch((cause: unknown) => {
      this.#failure ??= { cause };
    });
    return answer;
  }
}
