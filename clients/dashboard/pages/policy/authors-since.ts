import type { AuditLogItem } from '@tollfree/contract/access/audit-log';
import { authorOf, type KnownAuthors } from '../../api/change-author.ts';
import { isSame } from '../../api/merge-settings.ts';
import { policyOfLog, takeBack } from './logged-policy.ts';
import { contentOf, type PolicyDraft } from './policy-draft.ts';

type Since = {
  /** The policy that a draft was begun from, and the one in force by now. */
  readonly was: PolicyDraft;
  readonly theirs: PolicyDraft;
  /** Changes of the policy, newest first. */
  readonly entries: readonly AuditLogItem[];
};

/**
 * Who has changed a policy since a draft of it was begun, the newest first and each once: the changes in the log are taken back
 * until the policy is the one that the draft was begun from. If none of the entries leads there, only the newest author is known.
 */
export function authorsSince({ was, theirs, entries }: Since, known: KnownAuthors): readonly string[] {
  const authors = new Set<string>();
  let policy = contentOf(theirs);
  for (const entry of entries) {
    authors.add(authorOf(entry, known));
    const [before, after] = [entry.before, entry.after].map((objects) => policyOfLog(Object.values(objects)[0]));
    policy = contentOf(takeBack(policy, { before: before ?? {}, after: after ?? {} }));
    if (isSame(policy, contentOf(was))) return [...authors];
  }
  return [...authors].slice(0, 1);
}

/** Most authors that a sentence names. */
const mostNamed = 3;

/** Authors as the subject of a sentence, with its verb. */
export function authorsHave([first = 'Someone else', ...others]: readonly string[]): string {
  if (others.length === 0) return `${first} has`;
  const named = [first, ...others.map(inSentence)];
  if (named.length > mostNamed)
    return `${named.slice(0, mostNamed).join(', ')} and ${named.length - mostNamed} more have`;
  return `${named.slice(0, -1).join(', ')} and ${named.at(-1)} have`;
}

/** Labels begin with an article, names do not. */
function inSentence(author: string): string {
  return author.replace(/^(The|A) /, (article) => article.toLowerCase());
}
