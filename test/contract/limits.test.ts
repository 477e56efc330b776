import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as limits from '../../contract/limits.ts';
import {
  defaultPageSize,
  maxAdjustmentReason,
  maxAuthTokens,
  maxPageSize,
  maxStateOverrideBytes,
  maxTokens,
} from '../../contract/limits.ts';
import { PolicyRequestSchema } from '../../contract/policy-fields.ts';
import { maxScanned } from '../../core/decisions/manage-decisions.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { readPolicyRequest } from '../../core/domain/policy-item.ts';
import { signInLimits } from '../../core/management/accounts/sign-in-limits.ts';
import { notificationLimits } from '../../core/outbox/queue-delivery.ts';
import { findSourceFiles } from '../../tools/prose/find-markdown-files.ts';

const page = `How many, 1 to ${maxPageSize}. Absent: ${defaultPageSize}.`;

function inEnglish(count: number): string {
  return count.toLocaleString('en-US');
}

test.each([
  ['core/domain/operations/bundler-operations.ts', `as JSON text. At most ${maxStateOverrideBytes / 1_024} KiB.`],
  ['core/domain/operations/bundler-operations.ts', `as JSON text. At most ${maxStateOverrideBytes / 1_024} KiB.`],
  ['core/domain/operations/ledger-operations.ts', page],
  ['core/domain/operations/ledger-operations.ts', `1 to ${maxAdjustmentReason} printable characters`],
  ['core/domain/operations/gas-tank-operations.ts', `1 to ${maxAdjustmentReason} printable characters`],
  ['clients/sdk/sponsor/get-token-quotes.ts', `at most ${maxTokens}.`],
  [
    'docs/reference/management.md',
    `up to ${signInLimits.maxSignUpsPerClient} accounts a day from one address, ${signInLimits.maxSignUpsPerDay} a day and ` +
      `${inEnglish(signInLimits.maxSignUps)} in all.`,
  ],
  ['docs/reference/management.md', `one sign-in within ${signInLimits.nonceLifetime / 60} minutes`],
  ['docs/reference/management.md', `an \`Issued At\` of the last ${signInLimits.maxMessageAge / 60} minutes`],
  [
    'docs/reference/management.md',
    `A session ends after ${signInLimits.maxSessionAge / 86_400} days, after ${signInLimits.maxIdle / 3_600} hours`,
  ],
  ['docs/reference/management.md', `the oldest of more than ${signInLimits.maxSessions} of that wallet or authToken`],
  [
    'docs/reference/management.md',
    `can have ${maxAuthTokens} authTokens that are accepted; of those that have ended, the newest ` +
      `${signInLimits.maxEndedAuthTokens} are listed.`,
  ],
  ['docs/reference/management.md', `each call searches ${inEnglish(maxScanned)} entries.`],
  [
    'docs/notifications.md',
    `of more than ${inEnglish(notificationLimits.pendingPerDestination)} that wait for one URL`,
  ],
])('%s states the bound as it is: %s', (file, text) => {
  expect(readFileSync(file, 'utf8').replace(/\s+/g, ' ')).toContain(text); // however its lines are broken
});

test('contract and core mean the same where a policy says nothing', () => {
  expect(readPolicyRequest(PolicyRequestSchema.parse({}))).toEqual(defaultPolicy);
});

test('every bound is used by the product', () => {
  const sources = findSourceFiles().filter((file) => file !== 'contract/limits.ts');
  const words = new Set(sources.flatMap((file) => readFileSync(file, 'utf8').match(/\w+/g) ?? []));
  expect(Object.keys(limits).filter((name) => !words.has(name))).toEqual([]);
});
