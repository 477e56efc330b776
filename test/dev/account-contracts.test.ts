import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getAddress, getCreate2Address, isAddressEqual, slice } from 'viem';
import { describe, expect, test } from 'vitest';
import { accountsOfPublicChains } from '../../server/dev/devnet/copy-contracts.ts';
import { readAccountContracts } from '../../server/dev/devnet/place-accounts.ts';

const { contracts, deployers } = readAccountContracts();
const folder = join(import.meta.dirname, '../../server/dev/account-contracts');
const licenses = readFileSync(join(folder, 'LICENSES.txt'), 'utf8');
const folderPage = readFileSync(join(folder, 'README.md'), 'utf8');
/** Their deployers make an address from the code: 32 bytes of salt, then the creation code. */
const byCode = contracts.filter(({ deployer }) => !deployers.some(({ address }) => isAddressEqual(address, deployer)));

describe('the contracts of published accounts', () => {
  test.each(byCode)('$name has the code that leads to its published address', ({ address, deployer, data }) => {
    const made = getCreate2Address({ from: deployer, salt: slice(data, 0, 32), bytecode: slice(data, 32) });
    expect(isAddressEqual(made, address)).toBe(true);
  });

  test('are not those that have to be copied from a public chain', () => {
    const included = new Set(contracts.map(({ address }) => getAddress(address)));
    expect(accountsOfPublicChains.contracts.filter(({ address }) => included.has(getAddress(address)))).toEqual([]);
  });

  test.each([...deployers, ...contracts])(
    'at $address come with the copyright notice and license of $source',
    ({ source }) => {
      const [, notices] = new RegExp(`^${source}: (?:MIT|Unlicense)\\n((?:  .+\\n)+)`, 'm').exec(licenses) ?? [];
      expect(notices).toMatch(/^ {2}Copyright .*\d{4}|public domain/m);
      expect(folderPage).toContain(`| \`${source}\` |`);
    },
  );

  test('are most of them of this kind', () => {
    expect(byCode.length).toBeGreaterThan(contracts.length / 2);
  });
});
