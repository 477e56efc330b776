type Objects = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A changed field. Undefined means that it did not exist, or no longer does. */
type ChangedField = { readonly field: string; readonly before: unknown; readonly after: unknown };

/** One object's change. */
export type ObjectChange = {
  readonly kind: string;
  readonly id: string;
  readonly became: 'made' | 'changed' | 'gone';
  readonly fields: readonly ChangedField[];
};

/** Labels of the log's object kinds. */
const kinds: Readonly<Record<string, string>> = {
  settingsOfApiKey: 'settings of an apiKey',
  ticketKey: 'key for tickets',
  fundingMessage: 'message for the funding wallet',
};

/** A log entry's changes by object and field. Values are shown as stored. */
export function listChanges({
  before,
  after,
}: {
  readonly before: Objects;
  readonly after: Objects;
}): readonly ObjectChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((object) => {
    const [kind = '', ...rest] = object.split(' ');
    const was = before[object];
    const is = after[object];
    const [old, now] = [flatten(was ?? {}), flatten(is ?? {})];
    const names = [...new Set([...old.keys(), ...now.keys()])];
    const fields = names
      .map((field) => ({ field, before: old.get(field), after: now.get(field) }))
      .filter((each) => JSON.stringify(each.before) !== JSON.stringify(each.after));
    const became = was === undefined ? 'made' : is === undefined ? 'gone' : 'changed';
    return { kind: kinds[kind] ?? kind, id: rest.join(' '), became, fields };
  });
}

/** An object's values by path; lists are kept whole. */
function flatten(value: object, path = ''): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, each] of Object.entries(value)) {
    const location = path === '' ? name : `${path}.${name}`;
    const read = readText(each);
    if (typeof read !== 'object' || read === null || Array.isArray(read)) found.set(location, read);
    else for (const [inner, deep] of flatten(read, location)) found.set(inner, deep);
  }
  return found;
}

/** Some fields are stored as JSON text. */
function readText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
