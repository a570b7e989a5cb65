/**
 * A repository whose code is loaded with the first call: a command that touches notes alone does not wait for the code of
 * tasks and learnings. Every method of a repository is asynchronous, so nobody sees the difference.
 */
export function lazyRepository<Repository extends object>(load: () => Promise<Repository>): Repository {
  let loading: Promise<Repository> | undefined;
  return new Proxy({} as Repository, {
    get(_target, name) {
      // Whoever awaits the repository itself must not take it for a promise.
      if (name === "then" || typeof name === "symbol") return undefined;
      return async (...args: unknown[]): Promise<unknown> => {
        loading ??= load();
        const repository = (await loading) as Record<string, (...values: unknown[]) => unknown>;
        const method = repository[name];
        if (method === undefined) throw new Error(`The repository has no ${name}`);
        return method(...args);
      };
    },
  });
}
