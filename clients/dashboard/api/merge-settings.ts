type Fields = Readonly<Record<string, unknown>>;

export type Merged<Settings> = {
  readonly settings: Settings;
  /** Fields that both have changed, to different values: those of `mine` are taken. */
  readonly conflicts: readonly string[];
};

/**
 * Settings that two people have changed at the same time: what one of them changed is as they left it. `seen` is what both began
 * with, `theirs` what is in force by now.
 */
export function mergeSettings<Settings extends object>(
  seen: Settings,
  mine: Settings,
  theirs: Settings,
): Merged<Settings> {
  const { fields, conflicts } = mergeFields(seen as Fields, mine as Fields, theirs as Fields);
  return { settings: fields as Settings, conflicts };
}

function mergeFields(seen: Fields, mine: Fields, theirs: Fields): { fields: Fields; conflicts: readonly string[] } {
  const fields: Record<string, unknown> = {};
  const conflicts: string[] = [];
  for (const name of new Set([...Object.keys(seen), ...Object.keys(mine), ...Object.keys(theirs)])) {
    const [was, wanted, is] = [seen[name], mine[name], theirs[name]];
    if (isSame(wanted, was)) fields[name] = is;
    else if (isSame(is, was) || isSame(wanted, is)) fields[name] = wanted;
    else if (isGroup(was) && isGroup(wanted) && isGroup(is)) {
      const merged = mergeFields(was, wanted, is);
      fields[name] = merged.fields;
      conflicts.push(...merged.conflicts);
    } else {
      fields[name] = wanted;
      conflicts.push(name);
    }
  }
  return { fields, conflicts };
}

/** The settings that differ from others. */
export function changedSettings<Settings extends object>(settings: Settings, before: Settings): Partial<Settings> {
  const was = before as Fields;
  const changed = Object.entries(settings).filter(([name, value]) => !isSame(value, was[name]));
  return Object.fromEntries(changed) as Partial<Settings>;
}

function isGroup(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two values are the same in JSON, in whatever order their fields are. */
export function isSame(one: unknown, other: unknown): boolean {
  return sortedJson(one) === sortedJson(other);
}

/** JSON with sorted keys; undefined for undefined. */
export function sortedJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_, each: unknown) =>
    isGroup(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}
