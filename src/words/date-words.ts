const months = "january february march april may june july august september october november december".split(
  " ",
);

/** The words people search a date such as `2026-05-08` by: day, month, year, or the date itself. */
export function dateWords(date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(date) ?? [];
  if (year === undefined) return "";
  return `${Number(day)} ${months[Number(month) - 1] ?? ""} ${year} ${year}${month}${day}`;
}
