import { makeToken, type TokenCheck, tokenCheck } from "../../net/loopback/tokens.js";

/** Who may use the page. */
export interface Sessions {
  /** The token of the next address. */
  token(): string;
  /** Whether a token is the one of the address. One that may be used once is replaced by another. */
  takeToken(given: string): Promise<boolean>;
  /** A new secret for a tab of a browser. */
  open(): Promise<string>;
  isOpen(secret: string): boolean;
}

/** Somebody who opens more than these has the oldest closed. */
const maxSessions = 50;

/** With `isOneTime`, each address opens the page once, and `onTaken` is told that there is a new one. */
export async function makeSessions(isOneTime: boolean, onTaken: () => void): Promise<Sessions> {
  let token = await makeToken();
  let isToken = await tokenCheck(token);
  let taking: Promise<unknown> = Promise.resolve();
  const open: TokenCheck[] = [];

  const take = async (given: string): Promise<boolean> => {
    if (!isToken(given)) return false;
    if (isOneTime) {
      token = await makeToken();
      isToken = await tokenCheck(token);
      onTaken();
    }
    return true;
  };
  return {
    token: () => token,
    // One after the other: of two requests with the same token only the first is let in.
    takeToken(given) {
      const taken = taking.then(() => take(given));
      taking = taken;
      return taken;
    },
    async open() {
      const secret = await makeToken();
      open.push(await tokenCheck(secret));
      if (open.length > maxSessions) open.shift();
      return secret;
    },
    isOpen: (secret) => open.some((isSecret) => isSecret(secret)),
  };
}
