import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderAccountMatrix } from '../support/accounts/account-matrix.ts';
import { matrixAccounts } from '../support/accounts/matrix-accounts.ts';
import { publishedAccounts } from '../support/accounts/published/published-accounts.ts';
import { isLongRun } from '../support/run/rows-of-run.ts';
import { describeAccounts } from './describe-accounts.ts';

// What an account of each code does. That of a SimpleAccount is in test/chain/landing.test.ts too.
const others = matrixAccounts.filter(({ kind }) => kind !== 'SimpleAccount' && kind !== 'Safe 1.5.0');
describeAccounts(isLongRun ? matrixAccounts : others);

test('the page about clients has the tables of both kinds of account', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/compatibility.md'), 'utf8');
  expect(page).toContain(renderAccountMatrix(matrixAccounts));
  expect(page).toContain(renderAccountMatrix(publishedAccounts('')));
});
