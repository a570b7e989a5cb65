import { messageOf, RalphError } from "../../../domain/ralph-error.js";
import { neutraliseLine } from "../../../text/fence/fence.js";

const saidLength = 200;

/** Two writers were in each other's way, and the server gave up one of them. */
const conflicts = ["40001", "40P01"];
const lockTaken = ["55P03", "57014"];
/** The connection ended, or the server is about to. */
const lost = [
  "57P01",
  "57P02",
  "57P03",
  "57P05",
  "08000",
  "08003",
  "08006",
  "08001",
  "08004",
  "53300",
  "25P03",
];
const systemCodes = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
];

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** The whole transaction may be tried again. */
export function isConflict(error: unknown): boolean {
  return conflicts.includes(codeOf(error));
}

/** Nobody knows whether the server got the last statement. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof RalphError) return error.code === "store-away";
  const code = codeOf(error);
  if (lost.includes(code) || systemCodes.includes(code)) return true;
  return (
    error instanceof Error &&
    /Connection terminated|connection error|timeout expired|read timeout|Client was closed|not queryable/i.test(
      error.message,
    )
  );
}

/** Says only that a statement of the same transaction failed before. */
export function isTransactionOver(error: unknown): boolean {
  return codeOf(error) === "25P02";
}

/** Turns an error of the server or of the network into one that says what to do. */
export function translatePostgresError(error: unknown, shown: string): unknown {
  if (error instanceof RalphError) return error;
  const told = (code: RalphError["code"], message: string, hint: string) =>
    new RalphError(code, message, { hint, cause: error });
  const code = codeOf(error);
  if (isConnectionLost(error))
    return told(
      "store-away",
      `The store cannot be reached: ${shown}`,
      "check the server and the network; what needs it can be repeated",
    );
  if (isConflict(error) || lockTaken.includes(code))
    return told("store-busy", `Others keep writing to ${shown}`, "try again in a moment");
  if (code === "28P01" || code === "28000" || lacksPassword(error))
    return told(
      "store-refused",
      `The store does not let this user in: ${shown}`,
      "set RALPH_STORE_PASSWORD, or write the password to ~/.pgpass",
    );
  if (code === "42501" && /row-level security/.test(messageOf(error))) return notMember(error);
  if (code === "42501")
    return told(
      "store-refused",
      `This user may not do that in ${shown}`,
      'ask the owner of the database to run "ralph store create"',
    );
  if (code === "3D000")
    return told("not-found", `There is no such database: ${shown}`, "create it, or correct the address");
  if (code === "42P01" || code === "42703")
    return told(
      "store-damaged",
      `The database has no tables of Ralph, or other ones: ${shown}`,
      'run "ralph store create" with the owner\'s address',
    );
  if (code === "53100")
    return told(
      "disk-full",
      `The server of ${shown} has no space left`,
      "free some space; nothing was changed",
    );
  if (/does not support SSL/i.test(messageOf(error)))
    return told(
      "store-refused",
      `The server does not encrypt its connections: ${shown}`,
      "let the server use TLS; nothing is sent to another machine without",
    );
  if (/certificate|self.signed|SSL|TLS/i.test(messageOf(error)))
    return told(
      "store-refused",
      `The server's certificate is not accepted: ${shown}`,
      "name its authority with sslrootcert=FILE in the address",
    );
  return isSaidByServer(error)
    ? told(
        "store-refused",
        `The store refused what was asked (${code}): ${shown}: ${saidBy(error)}`,
        "look into the log of the server",
      )
    : error;
}

/** With row security, a role changes only projects that it is a member of. */
export function notMember(cause?: unknown): RalphError {
  return new RalphError("store-refused", "This user is no member of the project in the team's store", {
    hint: 'ask the owner of the database to run "ralph store create" with --role and --project; "ralph status" shows its name',
    cause,
  });
}

/** The server asks for one, and the client finds that it has none. */
function lacksPassword(error: unknown): boolean {
  return /SCRAM.*client password must be/.test(messageOf(error));
}

function isSaidByServer(error: unknown): boolean {
  return error instanceof Error && "severity" in error;
}

/** What a server says may be anything. */
function saidBy(error: unknown): string {
  return neutraliseLine(messageOf(error), saidLength);
}
