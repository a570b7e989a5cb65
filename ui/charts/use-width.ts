import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** The width of an element, so that a chart is drawn in real pixels and its letters keep their size. */
export function useWidth<Element extends HTMLElement>(
  first: number,
): { own: RefObject<Element | null>; width: number } {
  const own = useRef<Element>(null);
  const [width, setWidth] = useState(first);
  useEffect(() => {
    if (own.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(240, Math.floor(entry.contentRect.width)));
    });
    observer.observe(own.current);
    return () => observer.disconnect();
  }, []);
  return { own, width };
}
