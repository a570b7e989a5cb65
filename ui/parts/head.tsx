import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

export function Head({
  title,
  crumb,
  children,
  actions,
}: {
  title: string;
  crumb?: ComponentChildren;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title.slice(0, 80)} · Ralph`;
  }, [title]);
  return (
    <header class="head">
      <div>
        {crumb && <p class="crumb">{crumb}</p>}
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </div>
      {actions && <div class="row">{actions}</div>}
    </header>
  );
}
