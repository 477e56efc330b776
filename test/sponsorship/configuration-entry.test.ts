import { expect, test } from 'vitest';
import { configurationEntry } from '../../core/sponsorship/gas/decide-account.ts';
import { accountsSchema } from '../../server/config/chain-part-schemas.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';

const hashOf = (digit: string) => `0x${digit.repeat(64)}` as const;
const address = numberedAddress(0xa1);

test('an entry that is pasted into the configuration makes all missing code known, with the account it is named for', () => {
  const entry = configurationEntry(
    [
      { list: 'factories', address, codeHash: hashOf('1') },
      { list: 'proxies', address, codeHash: hashOf('2') },
      { list: 'implementations', address, codeHash: hashOf('3') },
      { list: 'implementations', address, codeHash: hashOf('3') },
    ],
    { name: 'LIGHT_ACCOUNT', version: '2.0.0' },
  );
  const named = { name: 'LIGHT_ACCOUNT', version: '2.0.0' };
  expect(accountsSchema.parse(JSON.parse(entry))).toEqual({
    factories: [{ ...named, codeHash: hashOf('1') }],
    proxies: [{ codeHash: hashOf('2') }],
    implementations: [{ ...named, codeHash: hashOf('3') }],
  });
});
