import { useEffect, useState } from "preact/hooks";

/** Where the reader is: everything that a link or Back must bring back is in the address. */
export interface Place {
  path: string;
  query: URLSearchParams;
}

const listeners = new Set<() => void>();

export function currentPlace(): Place {
  return { path: location.pathname.replace(/\/$/, "") || "/", query: new URLSearchParams(location.search) };
}

export function goTo(address: string, { isReplaced = false } = {}): void {
  if (isReplaced) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  tell();
}

/** The same page with other parameters; undefined or an empty text takes one away, and a filter leads back to the first page. */
export function withQuery(changes: Readonly<Record<string, string | undefined>>): string {
  const { path, query } = currentPlace();
  if (!("page" in changes)) query.delete("page");
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

function tell(): void {
  for (const listener of listeners) listener();
}

export function usePlace(): Place {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    const update = () => setPlace(currentPlace());
    listeners.add(update);
    addEventListener("popstate", update);
    return () => {
      listeners.delete(update);
      removeEventListener("popstate", update);
    };
  }, []);
  return place;
}
