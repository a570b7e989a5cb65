/** Larger than any answer to what Ralph asks. */
const mostBytes = 256 * 1024 * 1024;

/**
 * Cuts what a server sends into messages and hands on those that are whole and well formed: the client's own reader takes
 * lengths and terminators on trust, and would read on without end. Throws at the first one that is not.
 */
export function checkMessages(handOn: (messages: Buffer) => void): (chunk: Buffer) => void {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  /** What the first message that waits takes, as soon as that is known. */
  let needed = 5;
  /** Since the server was last ready for a statement. */
  let answered = 0;
  return (chunk) => {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    answered += chunk.length;
    if (answered > mostBytes) throw new Error("The answer has no end");
    if (waitingBytes < needed) return;
    const all = waiting.length === 1 ? chunk : Buffer.concat(waiting);
    let at = 0;
    needed = 5;
    while (all.length - at >= 5) {
      const length = 1 + all.readUInt32BE(at + 1);
      if (length < 5 || length > mostBytes) throw new Error("A message has an impossible length");
      if (all.length - at < length) {
        needed = length;
        break;
      }
      const type = String.fromCharCode(all[at] ?? 0);
      if (!isWellFormed(type, all.subarray(at + 5, at + length)))
        throw new Error("A message is not one of PostgreSQL's");
      if (type === "Z") answered = 0;
      at += length;
    }
    waiting = at === all.length ? [] : [all.subarray(at)];
    waitingBytes = all.length - at;
    if (at > 0) handOn(all.subarray(0, at));
  };
}

function isWellFormed(type: string, body: Buffer): boolean {
  switch (type) {
    case "1": // parsed
    case "2": // bound
    case "3": // closed
    case "n": // no data
    case "s": // suspended
    case "I": // empty statement
      return body.length === 0;
    case "Z": // ready
      return body.length === 1;
    case "K": // key for cancelling
      return body.length >= 8;
    case "C": // done
      return countTexts(body, 0) === 1;
    case "S": // a parameter of the server
      return countTexts(body, 0) === 2;
    case "A": // a notification
      return countTexts(body, 4) === 2;
    case "R": // about the password
      return body.length >= 4 && (body.readInt32BE(0) !== 10 || body.at(-1) === 0);
    case "E":
    case "N":
      return isListOfFields(body);
    case "T":
      return isDescription(body);
    case "D":
      return isRow(body);
    case "t": // types of parameters
      return body.length >= 2 && body.length === 2 + 4 * body.readUInt16BE(0);
    default:
      return false;
  }
}

/** How many texts, each with its terminator, fill the body from an offset; -1 if something is left over. */
function countTexts(body: Buffer, from: number): number {
  let count = 0;
  for (let at = from; at < body.length; count += 1) {
    const end = body.indexOf(0, at);
    if (end === -1) return -1;
    at = end + 1;
  }
  return body.length < from ? -1 : count;
}

function isListOfFields(body: Buffer): boolean {
  let at = 0;
  while (at < body.length && body[at] !== 0) {
    const end = body.indexOf(0, at + 1);
    if (end === -1) return false;
    at = end + 1;
  }
  return at === body.length - 1;
}

function isDescription(body: Buffer): boolean {
  if (body.length < 2) return false;
  let at = 2;
  for (let column = body.readUInt16BE(0); column > 0; column -= 1) {
    const end = body.indexOf(0, at);
    if (end === -1) return false;
    at = end + 19;
  }
  return at === body.length;
}

function isRow(body: Buffer): boolean {
  if (body.length < 2) return false;
  let at = 2;
  for (let column = body.readUInt16BE(0); column > 0; column -= 1) {
    if (at + 4 > body.length) return false;
    const length = body.readInt32BE(at);
    if (length < -1) return false;
    at += 4 + Math.max(0, length);
  }
  return at === body.length;
}
