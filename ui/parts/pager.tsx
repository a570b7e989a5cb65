import { withQuery } from "../router.js";
import { count, counted } from "../words.js";
import { Link } from "./link.js";

/** Which rows of a long list these are, and the way to the others. */
export function Pager({
  page,
  limit,
  rows,
  total,
  what,
}: {
  page: number;
  limit: number;
  rows: number;
  total: number | undefined;
  what: string;
}) {
  if (rows === 0 && page === 1) return null;
  const first = (page - 1) * limit + 1;
  const pages = total === undefined ? undefined : Math.max(1, Math.ceil(total / limit));
  const hasNext = pages === undefined ? rows === limit : page < pages;
  return (
    <nav class="pager" aria-label={`Pages of ${what}`}>
      <span>
        {total === rows ? (
          counted(rows, what.replace(/s$/, ""))
        ) : (
          <>
            {rows === 0 ? "No more" : `${count(first)}–${count(first + rows - 1)}`}
            {total === undefined ? "" : ` of ${count(total)}`} {what}
          </>
        )}
      </span>
      <span class="row">
        {page > 1 && (
          <>
            <Link class="button" to={withQuery({ page: undefined })}>
              First
            </Link>
            <Link class="button" rel="prev" to={withQuery({ page: page === 2 ? undefined : `${page - 1}` })}>
              Previous
            </Link>
          </>
        )}
        {pages !== undefined && pages > 1 && (
          <span>
            Page {count(page)} of {count(pages)}
          </span>
        )}
        {hasNext && (
          <Link class="button" rel="next" to={withQuery({ page: `${page + 1}` })}>
            Next
          </Link>
        )}
        {pages !== undefined && hasNext && pages - page > 1 && (
          <Link class="button" to={withQuery({ page: `${pages}` })}>
            Last
          </Link>
        )}
      </span>
    </nav>
  );
}
