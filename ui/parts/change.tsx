import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { problemIn } from "../api.js";

/** Tells what was done, or why it was not; screen readers say it, too. */
export const Say = createContext<(text: string) => void>(() => undefined);

/** Does something, and says how it went. False if it failed. */
export function useChange(): (work: () => Promise<unknown>, done: string) => Promise<boolean> {
  const say = useContext(Say);
  return async (work, done) => {
    try {
      await work();
      say(done);
      return true;
    } catch (error) {
      const { message, hint } = problemIn(error);
      say(hint === undefined ? message : `${message} (${hint})`);
      return false;
    }
  };
}
