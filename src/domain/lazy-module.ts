// biome-ignore lint/suspicious/noExplicitAny: any function, whatever it takes
type AnyFunction = (...args: any[]) => unknown;

/** The functions of a module, each as one that returns a promise. */
type LazyModule<Module> = {
  readonly [Name in keyof Module as Module[Name] extends AnyFunction ? Name : never]: Module[Name] extends (
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/**
 * Functions whose code is loaded by the first call, so that a command waits only for the code it uses. `load` is either
 * `() => import("./module.js")` or makes an object of asynchronous functions. `around` runs each call.
 */
export function lazyModule<Module extends object>(
  load: () => Promise<Module>,
  around?: (call: () => Promise<unknown>) => Promise<unknown>,
): LazyModule<Module> {
  let loading: Promise<Module> | undefined;
  return new Proxy({} as LazyModule<Module>, {
    get(_target, name) {
      // An awaited proxy must not look like a promise.
      if (name === "then" || typeof name === "symbol") return undefined;
      return async (...args: unknown[]): Promise<unknown> => {
        loading ??= load();
        const member = ((await loading) as Record<string, unknown>)[name];
        if (typeof member !== "function") throw new TypeError(`There is no function ${name}`);
        return around === undefined ? member(...args) : around(async () => member(...args));
      };
    },
  });
}
