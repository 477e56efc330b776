import { describe, inject } from 'vitest';
import { publishedAccounts } from '../support/accounts/published/published-accounts.ts';
import { safe06Of } from '../support/accounts/published/safe-of-owners.ts';
import { describeAccounts } from './describe-accounts.ts';
import { describeDummySignatures } from './describe-dummy-signatures.ts';

const nodeUrl = inject('codeNode');
const accounts = publishedAccounts(nodeUrl);

describe('accounts of a public chain', () => describeAccounts(accounts));

/** The dummy of permissionless is not of the length that the validator recovers a key from, which it does twice otherwise. */
const dummyOfNexus = 6_100;

describe('accounts of a public chain, asked for with their dummy', () =>
  describeDummySignatures([
    ...accounts.map((one) => (one.kind === 'Nexus 1.0.0' ? { ...one, difference: dummyOfNexus } : one)),
    ...[2, 3, 12].map((count) => ({ ...safe06Of(count, nodeUrl), signatures: count })),
  ]));
