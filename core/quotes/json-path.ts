/** Most steps of a path. */
const maxSteps = 16;

const form = /^[\w$-]{1,100}(?:\.[\w$-]{1,100}|\[\d{1,4}\])*$/;

/**
 * A way into a JSON document: keys with dots between them and list indexes in brackets, `result.XETHZUSD.c[0]`. Keys are
 * letters, digits, `_`, `-` and `$`. Undefined for any other text.
 */
export function parseJsonPath(path: string): readonly string[] | undefined {
  if (!form.test(path)) return undefined;
  const steps = path.replaceAll('[', '.').replaceAll(']', '').split('.');
  return steps.length > maxSteps ? undefined : steps;
}

/** What is at the end of the path: an own property at each step. Undefined when it leads nowhere. */
export function followJsonPath(document: unknown, steps: readonly string[]): unknown {
  let value = document;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
}
