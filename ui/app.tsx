import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ProjectView } from "../src/ui/routes/project-routes.js";
import { useLoaded } from "./api.js";
import { useKeys } from "./keys.js";
import { useLive } from "./live.js";
import { LiveRuns } from "./live-context.js";
import { useOnChange } from "./on-change.js";
import { HealthPage } from "./pages/health.js";
import { ImpactPage } from "./pages/impact.js";
import { LearningPage } from "./pages/learning.js";
import { LearningsPage } from "./pages/learnings.js";
import { NotesPage } from "./pages/notes.js";
import { NowPage } from "./pages/now.js";
import { RecallPage } from "./pages/recall.js";
import { ReviewPage } from "./pages/review.js";
import { TaskPage } from "./pages/task.js";
import { TasksPage } from "./pages/tasks.js";
import { Say } from "./parts/change.js";
import { Dialog } from "./parts/dialog.js";
import { Head } from "./parts/head.js";
import { Link } from "./parts/link.js";
import { Empty } from "./parts/state.js";
import { ClockProvider, useClock } from "./parts/time.js";
import { goTo, type Place, usePlace } from "./router.js";
import { hasSession, openSession } from "./session.js";
import { count } from "./words.js";

const pages = [
  { path: "/", word: "Now", key: "n" },
  { path: "/tasks", word: "Tasks", key: "t" },
  { path: "/learnings", word: "Learnings", key: "l" },
  { path: "/review", word: "Review", key: "r" },
  { path: "/notes", word: "Notes", key: "o" },
  { path: "/recall", word: "Recall", key: "c" },
  { path: "/impact", word: "Does it help?", key: "i" },
  { path: "/health", word: "Health", key: "h" },
] as const;

const refreshMs = 15_000;
const saidForMs = 6_000;

function App() {
  const place = usePlace();
  const live = useLive();
  const now = useClock(refreshMs);
  const project = useLoaded<ProjectView>(`/api/project`);
  const [said, setSaid] = useState("");
  const [isHelp, setHelp] = useState(false);
  const main = useRef<HTMLElement>(null);
  // The counts beside the pages: with each change, and now and then.
  const { reload } = project;
  useOnChange(`${said} ${now}`, reload);
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), saidForMs);
    return () => clearTimeout(timer);
  }, [said]);
  useOnChange(place.path, () => {
    showCurrentPage();
    scrollTo(0, 0);
    main.current?.querySelector("h1")?.focus();
  });
  useKeys({
    "?": () => setHelp(true),
    ...Object.fromEntries(pages.map(({ key, path }) => [`g ${key}`, () => goTo(path)])),
  });
  return (
    <LiveRuns.Provider value={live}>
      <ClockProvider value={now}>
        <Say.Provider value={setSaid}>
          <a class="skip" href="#main">
            Skip to the content
          </a>
          <div class="frame">
            <Side
              place={place}
              project={project.value}
              running={live.runs?.filter(({ isActive }) => isActive).length ?? 0}
              onHelp={() => setHelp(true)}
            />
            <main class="main" id="main" ref={main} tabIndex={-1}>
              <Page place={place} />
            </main>
          </div>
          <div role="status" aria-live="polite">
            {said !== "" && <p class="done">{said}</p>}
          </div>
          {isHelp && <Help onClose={() => setHelp(false)} />}
        </Say.Provider>
      </ClockProvider>
    </LiveRuns.Provider>
  );
}

/** The list of pages is wider than a small screen. */
function showCurrentPage(): void {
  document.querySelector(".nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
}

function Side({
  place,
  project,
  running,
  onHelp,
}: {
  place: Place;
  project: ProjectView | undefined;
  running: number;
  onHelp(): void;
}) {
  const counts = project?.counts;
  const beside: Record<string, { value: number | undefined; kind?: string }> = {
    "/": { value: running || undefined, kind: "is-live" },
    "/tasks": { value: counts?.tasks },
    "/learnings": { value: counts?.learnings },
    "/review": { value: counts?.waiting || undefined, kind: "is-due" },
    "/notes": { value: counts?.notes },
  };
  const isAt = (path: string) =>
    path === "/" ? place.path === "/" : place.path === path || place.path.startsWith(`${path}/`);
  return (
    <header class="side">
      <Link to="/" class="brand">
        <img src="/icon.svg" alt="" />
        <span>
          <span class="brand-name">{project?.name ?? "Ralph"}</span>
          <span class="brand-sub">Ralph's memory</span>
        </span>
      </Link>
      <nav class="nav" aria-label="Pages">
        {pages.map(({ path, word }) => (
          <Link key={path} to={path} aria-current={isAt(path) ? "page" : undefined}>
            {word}
            {beside[path]?.value !== undefined && (
              <span class={`count ${beside[path]?.kind ?? ""}`}>{count(beside[path]?.value ?? 0)}</span>
            )}
          </Link>
        ))}
      </nav>
      <p class="side-foot">
        <button type="button" class="button" onClick={onHelp}>
          Keys <kbd>?</kbd>
        </button>
        <span>Ralph {project?.version}</span>
      </p>
    </header>
  );
}

function Page({ place }: { place: Place }) {
  const [, first = "", second] = place.path.split("/").map(decoded);
  switch (first) {
    case "":
      return <NowPage />;
    case "tasks":
      return second === undefined ? (
        <TasksPage place={place} />
      ) : (
        <TaskPage key={second} id={second} place={place} />
      );
    case "learnings":
      return second === undefined ? (
        <LearningsPage place={place} />
      ) : (
        <LearningPage key={second} id={second} />
      );
    case "review":
      return <ReviewPage />;
    case "notes":
      return <NotesPage place={place} />;
    case "recall":
      return <RecallPage place={place} />;
    case "impact":
      return <ImpactPage />;
    case "health":
      return <HealthPage place={place} />;
    default:
      return (
        <>
          <Head title="Not found" />
          <Empty title="There is no such page">
            <Link to="/">Go to Now</Link>
          </Empty>
        </>
      );
  }
}

/** An address may hold anything: `%zz` stands for nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function Help({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="facts">
        {pages.map(({ key, word }) => (
          <>
            <dt>
              <kbd class="key">g</kbd> <kbd class="key">{key}</kbd>
            </dt>
            <dd>{word}</dd>
          </>
        ))}
        <dt>
          <kbd class="key">/</kbd>
        </dt>
        <dd>search</dd>
        <dt>
          <kbd class="key">j</kbd> <kbd class="key">k</kbd>
        </dt>
        <dd>next and previous row; Enter opens it</dd>
        <dt>
          <kbd class="key">a</kbd> <kbd class="key">r</kbd> <kbd class="key">e</kbd>
        </dt>
        <dd>accept, reject and reword in a review</dd>
        <dt>
          <kbd class="key">n</kbd>
        </dt>
        <dd>add a note, on the page of notes</dd>
      </dl>
      <p>
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  );
}

/** A tab that was opened by hand, which has no secret. */
function Closed() {
  return (
    <main class="main" id="main">
      <h1>This tab is not connected</h1>
      <Empty title="Open the address that ralph ui printed last, or run it again">
        Each address opens the page once, in one tab.
      </Empty>
    </main>
  );
}

const root = document.getElementById("page");

function show(): void {
  if (root === null) return;
  root.replaceChildren();
  render(hasSession() ? <App /> : <Closed />, root);
  requestAnimationFrame(showCurrentPage);
}

// Without an answer, the page tells what is wrong.
openSession()
  .catch(() => false)
  .then(show);
// A new address in a tab that has the page already.
addEventListener("hashchange", () => {
  void openSession().then((isNew) => isNew && location.reload());
});
