import { expect, test } from 'vitest';
import { authorsHave, authorsSince } from '../../clients/dashboard/pages/policy/authors-since.ts';
import type { AuditLogItem } from '../../contract/access/audit-log.ts';

const names = ['ci', 'Ada', 'Bob', 'Eve', 'Mallory'];
const tokens = names.map((name) => ({ authTokenId: name, name }) as never);

/** Saves of a gas limit, each by its author, newest first. */
function log(...saves: readonly (readonly [author: string, gas: number])[]): readonly AuditLogItem[] {
  const begun = 100;
  return saves
    .map(([credentialId, gas], index): AuditLogItem => {
      const before = { maxGasPerOperation: saves[index - 1]?.[1] ?? begun };
      return {
        entryId: String(index),
        changedAt: index,
        operation: 'setPolicy',
        author: 'auth-token',
        credentialId,
        before: { policy: before },
        after: { policy: { maxGasPerOperation: gas } },
      };
    })
    .toReversed();
}

const since = (was: number, theirs: number, entries: readonly AuditLogItem[]) =>
  authorsSince(
    { was: { maxGasPerOperation: was }, theirs: { maxGasPerOperation: theirs }, entries },
    { tokens, members: [] },
  );

test('names those who saved after the draft was begun, each once, the newest first', () => {
  const entries = log(['Mallory', 150], ['ci', 200], ['Ada', 300], ['ci', 400]);
  expect(since(150, 400, entries)).toEqual(['The authToken “ci”', 'The authToken “Ada”']);
  expect(since(300, 400, entries)).toEqual(['The authToken “ci”']);
});

test('names the newest author alone where the log does not lead back to the draft', () => {
  expect(since(175, 300, log(['ci', 200], ['Ada', 300]))).toEqual(['The authToken “Ada”']);
  expect(since(175, 300, [])).toEqual([]);
});

test.each([
  [[], 'Someone else has'],
  [['The authToken “ci”'], 'The authToken “ci” has'],
  [['The authToken “ci”', 'The operator'], 'The authToken “ci” and the operator have'],
  [['Ada', 'Bob', 'Eve'], 'Ada, Bob and Eve have'],
  [['Ada', 'Bob', 'Eve', 'Mallory', 'ci'], 'Ada, Bob, Eve and 2 more have'],
] as const)('says who has: %j', (authors, text) => {
  expect(authorsHave(authors)).toBe(text);
});
