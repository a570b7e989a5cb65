/** Compares a given token with the right one, in a time that says nothing about it. */
export type TokenCheck = (given: string) => boolean;

/** 256 random bits, in letters that need no escape in an address. */
export async function makeToken(): Promise<string> {
  const { randomBytes } = await import("node:crypto");
  return randomBytes(32).toString("base64url");
}

export async function tokenCheck(token: string): Promise<TokenCheck> {
  const { createHash, timingSafeEqual } = await import("node:crypto");
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given), expected);
}

/** The token that a request carries. */
export function bearerOf(authorization = ""): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}
