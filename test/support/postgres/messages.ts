/** One message of PostgreSQL's protocol; the first ones of a client have no type. */
export interface Message {
  type: string;
  /** With type and length, as it travels. */
  bytes: Buffer;
}

/** Cuts a stream into messages. */
export function readMessages({ startsUntyped }: { startsUntyped: boolean }): (chunk: Buffer) => Message[] {
  let rest = Buffer.alloc(0);
  let isUntyped = startsUntyped;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Message[] = [];
    for (;;) {
      const at = isUntyped ? 0 : 1;
      if (rest.length < at + 4) return messages;
      const length = at + rest.readUInt32BE(at);
      if (rest.length < length) return messages;
      messages.push({
        type: isUntyped ? "" : String.fromCharCode(rest[0] ?? 0),
        bytes: rest.subarray(0, length),
      });
      isUntyped = false;
      rest = rest.subarray(length);
    }
  };
}

/** The statement that a message of a client carries. */
export function statementOf({ type, bytes }: Message): string | undefined {
  if (type === "Q") return textAt(bytes, 5);
  if (type === "P") return textAt(bytes, bytes.indexOf(0, 5) + 1);
  return undefined;
}

/** What a server says it has done, such as `COMMIT`. */
export function commandOf({ type, bytes }: Message): string | undefined {
  return type === "C" ? textAt(bytes, 5) : undefined;
}

function textAt(bytes: Buffer, start: number): string {
  return bytes.toString("utf8", start, bytes.indexOf(0, start));
}
