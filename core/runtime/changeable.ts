/** Functions that can be replaced, all at once, while others hold on to them. */
export type Changeable<T> = { readonly facade: T; change(next: T): void };

/** An object with the functions of `first`, and from each change on with those of the one it names. */
export function changeable<T extends object>(first: T): Changeable<T> {
  let current = first;
  const call = (name: string) =>
    // The names are those of T, whose members are functions that need no `this`.
    [
      name,
      (...args: readonly unknown[]) =>
        (current as Record<string, (...args: readonly unknown[]) => unknown>)[name]?.(...args),
    ];
  return {
    // Each name has a function of its own type, of which TypeScript knows nothing here.
    facade: Object.fromEntries(Object.keys(first).map(call)) as T,
    change: (next) => {
      current = next;
    },
  };
}
