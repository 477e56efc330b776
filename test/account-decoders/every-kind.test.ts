import { expect, test } from 'vitest';
import { accountDecoders } from '../../core/evm/account-decoders/find-decoder.ts';
import { accountMethods } from '../support/accounts/account-kinds.ts';

/** Minor versions of an account make calls alike. */
function kindOf(name: string, version: string): string {
  return `${name} ${version.split('.', 1)[0]}`;
}

test('every decoder is held against an encoding of its account', () => {
  const held = new Set(accountMethods.map(({ account, version }) => kindOf(account, version)));
  const kinds = accountDecoders.map(({ name, version }) => kindOf(name, version));
  expect(kinds.filter((kind) => !held.has(kind))).toEqual([]);
});
