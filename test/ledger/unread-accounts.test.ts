import { expect, test } from 'vitest';
import { toLedgerAccounts } from '../../core/ledger/accounts/ledger-accounts.ts';
import { toCounters } from '../../core/ledger/counters.ts';

const open = () => {
  const stored = { account_id: 7, name: 'limit/1//0', count: 3, amount: '30', kept_until: null };
  return toLedgerAccounts([stored], ['limit/1//0', 'limit/2//0'], toCounters([{ name: 'account', next: 8 }]));
};

test('an account that was asked for counts what is stored, or nothing yet', () => {
  const accounts = open();
  expect(accounts.of('limit/1//0')).toMatchObject({ count: 3, amount: 30n });
  expect(accounts.of('limit/2//0')).toMatchObject({ count: 0, amount: 0n });
  expect(accounts.find('limit/2//0')).toBeUndefined();
  expect(accounts.open({ name: 'limit/2//0' })).toBe(8);
});

test('an account that was not read is neither empty nor opened: a limit that is used up would start again', () => {
  const accounts = open();
  for (const use of [accounts.of, accounts.find, (name: string) => accounts.open({ name })]) {
    expect(() => use('limit/3//0')).toThrow('limit/3//0 was not read');
  }
});
