import { randomUUID } from "node:crypto";
import type { Client, QueryResult } from "pg";
import { RalphError } from "../../../domain/ralph-error.js";
import type { Sql, SqlValue } from "../../sql.js";
import { cutConnection } from "./make-connect.js";
import { isConflict, isConnectionLost, translatePostgresError } from "./postgres-errors.js";
import { type ProjectOfStatement, send } from "./send.js";
import { type TransactionLock, TransactionStatements } from "./transaction-statements.js";

export interface PostgresConnectionOptions {
  /** Makes a connection to the server. */
  connect(): Promise<Client>;
  /** The name of the project. */
  projectKey: string;
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
const toldAfterMs = 1_500;
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
  /** The same, for reading while nobody knows the project's number yet. */
  readonly earlySql: Sql;
  readonly #options: PostgresConnectionOptions;
  #client: Promise<Client> | undefined;
  #project: number;
  /** The last transaction that was asked for. */
  #queue: Promise<unknown> = Promise.resolve();
  #isWaitingTold = false;
  /** The transaction that is under way. */
  #active: Promise<unknown> | undefined;

  constructor(options: PostgresConnectionOptions) {
    this.#options = options;
    this.#project = noProject;
    const project = () => this.#project;
    this.sql = this.#singleStatements(options.patienceMs, project);
    this.impatientSql = this.#singleStatements(0, project);
    this.earlySql = this.#singleStatements(0, () => ({ key: options.projectKey }));
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
    if (client === undefined) return;
    const giveUp = setTimeout(() => cutConnection(client), goodbyeMs);
    await client.end().catch(() => undefined);
    clearTimeout(giveUp);
  }

  #singleStatements(patienceMs: number, project: () => ProjectOfStatement): Sql {
    const read = <Result>(text: string, values: readonly SqlValue[], take: (result: QueryResult) => Result) =>
      this.#patiently(patienceMs, async () => {
        const client = await this.#connected();
        while (this.#active !== undefined) await this.#active.catch(() => undefined);
        return take(await send(client, project(), text, values));
      });
    const write = <Result>(work: (sql: Sql) => Promise<Result>) =>
      this.transaction(work, { lock: "rows", patienceMs });
    return {
      all: <Row>(text: string, ...values: SqlValue[]) => read(text, values, ({ rows }) => rows as Row[]),
      get: <Row>(text: string, ...values: SqlValue[]) =>
        read(text, values, ({ rows }) => rows[0] as Row | undefined),
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
        this.#isWaitingTold = false;
        return result;
      } catch (error) {
        const isLost = isConnectionLost(error);
        if (isLost) this.#forget();
        const waitedMs = performance.now() - begun;
        if (!(isLost || isConflict(error)) || waitedMs >= patienceMs)
          throw translatePostgresError(error, this.#options.shown);
        if (isLost && waitedMs > toldAfterMs && !this.#isWaitingTold) {
          this.#isWaitingTold = true;
          this.#options.onWaiting?.();
        }
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
    const token = givenToken ?? randomUUID();
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
    const statements = new TransactionStatements(client, project);
    statements.begin(lock, Math.max(1, Math.round(patienceMs)));
    try {
      const earlier = unknown[0];
      if ((earlier !== undefined || isGiven) && (await isTokenThere(client, project, token))) {
        await statements.rollBack();
        if (earlier === undefined) throw deliveredBefore();
        return earlier.result;
      }
      const result = await work(statements.sql);
      await statements.commit(token, { isLate: isGiven }, () => unknown.unshift({ result }));
      return result;
    } catch (error) {
      statements.rollBack().catch(() => undefined);
      const cause = statements.causeOf(error);
      const [earlier] = unknown;
      if ((earlier === undefined && !isGiven) || isConnectionLost(cause)) throw cause;
      // An earlier try may have been counted while this one was at work, and be what it ran into.
      if (!(await isTokenThere(client, project, token))) throw cause;
      if (earlier === undefined) throw deliveredBefore();
      return earlier.result;
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

interface AttemptOptions<Result> {
  work: (sql: Sql) => Promise<Result>;
  lock: TransactionLock;
  patienceMs: number;
  token: string;
  isGiven: boolean;
  /** Results of earlier tries of which nobody knows whether they count. */
  unknown: { result: Result }[];
}

function deliveredBefore(): RalphError {
  return new RalphError("already-exists", "This was delivered before");
}

async function isTokenThere(client: Client, project: number, token: string): Promise<boolean> {
  const { rows } = await send(
    client,
    project,
    "SELECT token FROM commit_tokens WHERE project = :project AND token = ?",
    [token],
  );
  return rows.length > 0;
}
