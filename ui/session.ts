/** A cookie would be sent to every port of this machine; what a tab stores is kept from other ports and other tabs. */
const key = "ralph-secret";
const tokenHash = /^#([\w-]{43})$/;

/** Takes the token out of the address, and exchanges it for this tab's secret. False if there is none. */
export async function openSession(): Promise<boolean> {
  const token = tokenHash.exec(location.hash)?.[1];
  if (token === undefined) return false;
  history.replaceState(null, "", location.pathname + location.search);
  const response = await fetch("/api/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
    credentials: "omit",
  });
  if (!response.ok) return false;
  const { secret } = (await response.json()) as { secret: string };
  sessionStorage.setItem(key, secret);
  return true;
}

export function hasSession(): boolean {
  return sessionStorage.getItem(key) !== null;
}

/** What each request to the server is sent with. */
export function authorized(): { headers: Record<string, string>; credentials: "omit" } {
  return { headers: { authorization: `Bearer ${sessionStorage.getItem(key) ?? ""}` }, credentials: "omit" };
}
