const months = "january february march april may june july august september october november december".split(
  " ",
);

/** A date such as `2026-05-08` as people ask for it: by its day, its month, its year, or as it is written. */
export function dateWords(date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(date) ?? [];
  if (year === undefined) return "";
  return `${Number(day)} ${months[Number(month) - 1] ?? ""} ${year} ${year}${month}${day}`;
}
