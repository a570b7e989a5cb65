export interface Caller {
  host: string | undefined;
  origin: string | undefined;
  authorization: string | undefined;
}

export interface Refusal {
  status: 401 | 403;
  message: string;
}

/**
 * Why a request is refused, if it is. Any program of this machine can reach the port, and so can a web page, also under a name
 * that it lets point to this machine: so the name, the page and the token are looked at, in this order.
 */
export function checkCaller(
  caller: Caller,
  port: number,
  isToken: (given: string) => boolean,
): Refusal | undefined {
  const ownHosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!ownHosts.includes(caller.host ?? "")) return { status: 403, message: "Wrong Host" };
  if (caller.origin !== undefined && !ownHosts.some((host) => caller.origin === `http://${host}`))
    return { status: 403, message: "Wrong Origin" };
  const given = /^Bearer +(\S+)$/i.exec(caller.authorization ?? "")?.[1];
  if (given === undefined || !isToken(given))
    return { status: 401, message: "The token is missing or wrong: send it as Authorization: Bearer" };
  return undefined;
}
