/** Longest draft that is kept, in characters. Policies with full lists of senders are longer, and are not kept. */
const maxLength = 200_000;

const prefix = 'tollfree-draft ';
const rowsPrefix = 'tollfree-rows ';
/** Most rows of a list that room is kept for. */
const maxRows = 20;

/** What was typed into a form that was left without saving it, in this tab. Undefined if there is nothing. */
export function readKeptDraft(name: string): object | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(`${prefix}${name}`) ?? 'null');
    return typeof kept === 'object' && kept !== null ? kept : undefined;
  } catch {
    return undefined; // a browser may deny access to its storage
  }
}

/** Keeps a draft until it is saved or discarded, the user signs out, or the tab is closed. Whether it is kept. */
export function keepDraft(name: string, draft: object): boolean {
  const text = JSON.stringify(draft);
  if (text.length > maxLength) return false;
  try {
    sessionStorage.setItem(`${prefix}${name}`, text);
    return true;
  } catch {
    return false;
  }
}

export function forgetDraft(name: string): void {
  try {
    sessionStorage.removeItem(`${prefix}${name}`);
  } catch {
    // Then nothing was kept either.
  }
}

/** Keeps how many rows of each kind a page had, for the room that they take when it is loaded again in this tab. */
export function keepRows(name: string, rows: readonly number[]): void {
  try {
    if (rows.every((count) => count === 0)) sessionStorage.removeItem(`${rowsPrefix}${name}`);
    else sessionStorage.setItem(`${rowsPrefix}${name}`, rows.join(' '));
  } catch {
    // Then the page moves when its rows arrive.
  }
}

/** How many rows of each kind the page had, as far as this tab has shown it. */
export function readKeptRows(name: string): readonly number[] {
  try {
    const text = sessionStorage.getItem(`${rowsPrefix}${name}`) ?? '';
    return /^\d+( \d+)*$/.test(text) ? text.split(' ').map((count) => Math.min(Number(count), maxRows)) : [];
  } catch {
    return [];
  }
}

/** Forgets the drafts of all forms, and how many rows pages had. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix) || key.startsWith(rowsPrefix)) sessionStorage.removeItem(key);
    }
  } catch {
    // Then nothing was kept either.
  }
}
