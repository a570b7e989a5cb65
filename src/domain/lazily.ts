/** A value that is made when it is first asked for: most commands load more patterns and tables than they look into. */
export function lazily<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
