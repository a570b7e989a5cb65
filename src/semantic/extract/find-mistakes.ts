import type { ExtractedLearning } from "../../domain/knowledge/learning.js";
import type { EncounteredError } from "../../domain/tasks/attempt.js";
import { withoutFenced } from "../../text/fence/fence.js";
import { failureGist } from "../../text/same-failure.js";
import { maxConfidence } from "../learning-limits.js";
import { classifyTask } from "./classify-task.js";
import { clipStatement } from "./clip-statement.js";
import type { Episode } from "./episode.js";
import { episodeSources } from "./episode-sources.js";
import { nameFailure } from "./name-failure.js";

interface Mistake {
  error: EncounteredError;
  resolution: string | undefined;
  episodes: Set<Episode>;
}

/** Errors as what fails, why and how to prevent it: one with a resolution suffices, without one it takes two. */
export function findMistakes(episodes: readonly Episode[]): ExtractedLearning[] {
  const mistakes = new Map<string, Mistake>();
  for (const episode of episodes) {
    for (const met of episode.errors) {
      const error = withoutInjected(met);
      if (error === undefined) continue;
      const gist = `${classifyTask(episode.goal)} ${failureGist(error.message)}`;
      const known = mistakes.get(gist);
      if (known === undefined)
        mistakes.set(gist, { error, resolution: error.resolution, episodes: new Set([episode]) });
      else {
        known.episodes.add(episode);
        known.resolution ??= error.resolution;
      }
    }
  }
  return [...mistakes.values()]
    .filter(({ resolution, episodes: met }) => resolution !== undefined || met.size >= 2)
    .map(toAntipattern);
}

/** What Ralph put into a prompt is not learned again, also not from an error that repeats it. */
function withoutInjected(error: EncounteredError): EncounteredError | undefined {
  const message = withoutFenced(error.message).trim();
  return message === error.message.trim() ? error : undefined;
}

function toAntipattern({ error, resolution, episodes }: Mistake): ExtractedLearning {
  const members = [...episodes];
  const [first] = members as [Episode, ...Episode[]];
  const what = clipStatement(error.message) ?? error.message;
  // A named failure says what to check; its own words say where.
  const named = nameFailure(error.message);
  const certain = resolution === undefined ? 0.3 : 0.5;
  return {
    type: "antipattern",
    taskType: classifyTask(first.goal),
    content: {
      description: `Avoid: ${what}`,
      what_fails: error.type,
      why: named !== undefined && named !== what ? `${error.message} (${named})` : error.message,
      ...(resolution !== undefined && { prevention: resolution }),
      occurrences: members.length,
      impact: "high",
    },
    ...(resolution !== undefined && { correct_approach: resolution }),
    incorrect_approach: what,
    confidence: Math.min(maxConfidence.antipattern, certain + 0.1 * members.length),
    ...episodeSources(members),
    successRate: 0,
  };
}
