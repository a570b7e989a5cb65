import { healthRoutes } from "./health-routes.js";
import { impactRoutes } from "./impact-routes.js";
import { learningRoutes } from "./learning-routes.js";
import { noteRoutes } from "./note-routes.js";
import { projectRoutes } from "./project-routes.js";
import { recallRoutes } from "./recall-routes.js";
import type { Route, Routes } from "./route.js";
import { runRoutes } from "./run-routes.js";
import { taskRoutes } from "./task-routes.js";

const routes: Routes = {
  ...projectRoutes,
  ...runRoutes,
  ...taskRoutes,
  ...learningRoutes,
  ...noteRoutes,
  ...recallRoutes,
  ...impactRoutes,
  ...healthRoutes,
};

const table = Object.entries(routes).map(([pattern, route]) => {
  const [method = "", path = ""] = pattern.split(" ");
  return { method, words: path.split("/"), route };
});

/** The route for a path, with the parts that its pattern names. A pattern without names wins. */
export function findRoute(method: string, path: string): { route: Route; parts: string[] } | undefined {
  const words = path.split("/");
  const found = table.filter(
    (each) =>
      each.method === method &&
      each.words.length === words.length &&
      each.words.every((word, index) => (word.startsWith(":") ? words[index] !== "" : word === words[index])),
  );
  const best = found.find((each) => !each.words.some((word) => word.startsWith(":"))) ?? found[0];
  if (best === undefined) return undefined;
  const parts = words.filter((_, index) => best.words[index]?.startsWith(":"));
  return { route: best.route, parts: parts.map(decoded) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
