/** Most steps of a path. */
const maxSteps = 16;

const form = /^[\w$-]{1,100}(?:\.[\w$-]{1,100}|\[\d{1,4}\])*$/;

/**
 * A path into a JSON document: keys separated by dots, and list indexes in brackets, `result.XETHZUSD.c[0]`. Keys consist of
 * letters, digits, `_`, `-` and `$`. Undefined for any other text.
 */
export function parseJsonPath(path: string): readonly string[] | undefined {
  if (!form.test(path)) return undefined;
  const steps = path.replaceAll('[', '.').replaceAll(']', '').split('.');
  return steps.length > maxSteps ? undefined : steps;
}

/** The value at the end of the path, following own properties only. Undefined when the path does not exist. */
export function followJsonPath(document: unknown, steps: readonly string[]): unknown {
  let value = document;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
}
