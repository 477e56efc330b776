/** One place in which two runs differ. */
export type Difference = {
  readonly line: number;
  /** What was done: `ask sponsorUserOperation`. */
  readonly action: string;
  /** `decision.trace.3.message`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
};

/** A difference that is meant. */
export type AllowedDifference = {
  /** Matches the action, followed by the path. */
  readonly where: RegExp;
  readonly reason: string;
};

/** Where two outcomes differ, as paths. */
export function differencesOf(
  before: unknown,
  after: unknown,
  path = '',
): readonly Omit<Difference, 'line' | 'action'>[] {
  if (Object.is(before, after)) return [];
  if (!isParted(before) || !isParted(after) || Array.isArray(before) !== Array.isArray(after)) {
    return [{ path, before, after }];
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    differencesOf(partOf(before, name), partOf(after, name), path === '' ? name : `${path}.${name}`),
  );
}

function isParted(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function partOf(value: object, name: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** The allowed difference that a difference is; undefined if none is. */
export function allowedBy(
  { action, path }: Pick<Difference, 'action' | 'path'>,
  allowed: readonly AllowedDifference[],
): AllowedDifference | undefined {
  return allowed.find(({ where }) => where.test(`${action} ${path}`));
}
