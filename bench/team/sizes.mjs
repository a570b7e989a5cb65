/** Bytes of each table and of its indexes, and how many of them each of its rows takes. */
export async function measureSizes(query, address) {
  await query(address, "ANALYZE");
  const rows = await query(
    address,
    `SELECT relname AS table, reltuples::bigint AS rows, pg_table_size(oid) AS bytes, pg_indexes_size(oid) AS index_bytes
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reltuples > 0
     ORDER BY pg_total_relation_size(oid) DESC`,
  );
  return rows.map((row) => {
    const [count, bytes, indexBytes] = [row.rows, row.bytes, row.index_bytes].map(Number);
    return {
      table: row.table,
      rows: count,
      mb: Math.round(bytes / 1e6),
      index_mb: Math.round(indexBytes / 1e6),
      bytes_per_row: Math.round((bytes + indexBytes) / count),
    };
  });
}
