import { calledKeyLength } from './called-key.ts';

/** Counts of calls of a contract or method are kept under a subject that begins so, with the key of `called-key.ts` behind it. */
export const calledPrefix = 'called:';
export const calledPrefixLength = calledPrefix.length + calledKeyLength + 1;

/** Whose count it is, and of which calls; of all operations without `called`. */
type Whose = { readonly subject: string; readonly called?: string };

/** How it stands in the store. */
export function storedSubject({ subject, called }: Whose): string {
  return called === undefined ? subject : `${calledPrefix}${called}:${subject}`;
}

/** The same read again. */
export function readSubject(stored: string): Whose {
  if (!stored.startsWith(calledPrefix)) return { subject: stored };
  const called = stored.slice(calledPrefix.length, calledPrefixLength - 1);
  return { subject: stored.slice(calledPrefixLength), called };
}
