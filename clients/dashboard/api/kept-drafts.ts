/** Longest draft that is kept, in characters. Policies with full lists of senders are longer, and are not kept. */
const maxLength = 200_000;

const prefix = 'tollfree-draft ';

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

/** Forgets the drafts of all forms. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // Then nothing was kept either.
  }
}
