import { makeToken, type TokenCheck, tokenCheck } from "../../net/loopback.js";

/** Who may use the page. */
export interface Sessions {
  /** The token of the next address. */
  token(): string;
  /** Whether a token is the one of the address. One that may be used once is replaced by another. */
  takeToken(given: string): boolean;
  /** A new secret for a tab of a browser. */
  open(): string;
  isOpen(secret: string): boolean;
}

/** When more are open, the oldest is closed. */
const maxSessions = 50;

/** With `isOneTime`, each address opens the page once, and `onTaken` is called when there is a new one. */
export function makeSessions(isOneTime: boolean, onTaken: () => void): Sessions {
  let token = makeToken();
  let isToken = tokenCheck(token);
  const open: TokenCheck[] = [];
  return {
    token: () => token,
    takeToken(given) {
      if (!isToken(given)) return false;
      if (isOneTime) {
        token = makeToken();
        isToken = tokenCheck(token);
        onTaken();
      }
      return true;
    },
    open() {
      const secret = makeToken();
      open.push(tokenCheck(secret));
      if (open.length > maxSessions) open.shift();
      return secret;
    },
    isOpen: (secret) => open.some((isSecret) => isSecret(secret)),
  };
}
