export interface Caller {
  host: string | undefined;
  origin: string | undefined;
}

/**
 * Why a request is refused, whoever sent it. Any program of this machine can reach a port of it, and so can a web page, also
 * under a name that it lets point to this machine: so the name and the page are looked at before any token is.
 */
export function refuseForeign(
  { host, origin }: Caller,
  ownHosts: readonly string[],
): "Wrong Host" | "Wrong Origin" | undefined {
  if (!ownHosts.includes(host ?? "")) return "Wrong Host";
  if (origin !== undefined && !ownHosts.some((own) => origin === `http://${own}`)) return "Wrong Origin";
  return undefined;
}

/** The names by which this machine calls itself. */
export function loopbackHosts(port: number): string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}
