import type { ComponentChildren } from "preact";
import { goTo } from "../router.js";

interface LinkProps {
  to: string;
  class?: string;
  rel?: string;
  "aria-current"?: "page" | undefined;
  children?: ComponentChildren;
}

/** A link within the page: a plain one for the browser, so that it can be copied or opened in a tab. */
export function Link({ to, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a {...rest} href={to} onClick={follow}>
      {children}
    </a>
  );
}

/** Where a record is shown, by the form of its id. */
export function placeOf(id: string): string | undefined {
  if (/^task-\d+$/.test(id)) return `/tasks/${id}`;
  const attempt = /^(task-\d+)\/(\d+)$/.exec(id);
  if (attempt) return `/tasks/${attempt[1]}?attempt=${attempt[2]}`;
  if (/^learn-[0-9a-f]+$/.test(id)) return `/learnings/${id}`;
  if (/^mem-/.test(id)) return `/notes?note=${encodeURIComponent(id)}`;
  return undefined;
}

export function RecordLink({ id }: { id: string }) {
  const to = placeOf(id);
  return to === undefined ? (
    <code>{id}</code>
  ) : (
    <Link to={to} class="mono">
      {id}
    </Link>
  );
}
