import fc from 'fast-check';
import { type Hex, hexToBytes, size } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymasterContract } from '../../core/evm/paymaster-contracts/family/family.ts';
import { stubSignature } from '../../core/evm/paymaster-contracts/family/signed-fields.ts';
import { arbitraryOperation } from '../support/arbitrary/arbitrary-operation.ts';
import { arbitraryTerms } from '../support/arbitrary/arbitrary-terms.ts';
import { type BiconomyLab, packed, startBiconomyLab } from '../support/paymaster-contracts/biconomy-lab.ts';
import { biconomyTable, familyOf, termsOf } from '../support/paymaster-contracts/biconomy-table.ts';
import { repeatsOfRun } from '../support/run/rows-of-run.ts';
import { everyChange, fieldCount, type Signed } from './every-change.ts';

const anywhere: PaymasterContract = { chainId: 1, address: `0x${'ab'.repeat(20)}`, entryPoint: `0x${'cd'.repeat(20)}` };
/** Names of the terms' fields as the contracts have them. */
const contractNames: Readonly<Record<string, string>> = { fundingWallet: 'paymasterId' };

let lab: BiconomyLab;
beforeAll(async () => {
  lab = await startBiconomyLab();
});
afterAll(() => lab.close());

function zeroBytes(data: Hex): number {
  return hexToBytes(data).filter((byte) => byte === 0).length;
}

describe.each(biconomyTable)('$name', (row) => {
  const family = familyOf(row);
  const inputs = [arbitraryOperation(family.entryPointVersion), arbitraryTerms(row.mode)] as const;

  test('the digest is what the contract makes of the final data, for any operation and terms', async () => {
    const { contract, abi } = lab.row(row);
    await fc.assert(
      fc.asyncProperty(...inputs, async (operation, signedTerms) => {
        const { unsigned, digest } = family.prepare(contract, operation, signedTerms);
        const args = [packed(operation, family.assemble(unsigned, stubSignature))];
        const call = { address: contract.address, abi, functionName: 'digestOf', args };
        expect(digest).toBe(await lab.devnet.client.readContract(call));
      }),
      { numRuns: repeatsOfRun(13, 40) },
    );
  });

  test('the contract reads the terms and the signature where they were put', async () => {
    const { contract, abi } = lab.row(row);
    await fc.assert(
      fc.asyncProperty(...inputs, async (operation, signedTerms) => {
        const args = [family.stub(contract, operation, signedTerms)];
        const call = { address: contract.address, abi, functionName: 'parse', args };
        const terms = await lab.devnet.client.readContract(call);
        const price = row.source === 'Paymasters07' ? 'tokenPrice' : 'exchangeRate';
        const expected = Object.entries(termsOf(row, signedTerms)).map(([field, value]) => [
          field === 'exchangeRate' ? price : (contractNames[field] ?? field),
          value,
        ]);
        expect(terms).toMatchObject({ ...Object.fromEntries(expected), signature: stubSignature });
        if (row.mode === 'ERC20') expect(terms).toMatchObject({ priceMarkup: 1_000_000 });
      }),
      { numRuns: 15 },
    );
  });

  test('stub and final data have the length of the layout, the stub no more zero bytes', () => {
    const signature = fc.uint8Array({ minLength: 65, maxLength: 65 });
    fc.assert(
      fc.property(...inputs, signature, (operation, signedTerms, bytes) => {
        const { unsigned } = family.prepare(anywhere, operation, signedTerms);
        const final = family.assemble(unsigned, `0x${Buffer.from(bytes).toString('hex')}`);
        const stub = family.stub(anywhere, operation, signedTerms);
        expect(size(final)).toBe(row.bytes);
        expect(size(stub)).toBe(row.bytes);
        expect(zeroBytes(stub)).toBeLessThanOrEqual(zeroBytes(final));
      }),
      { numRuns: repeatsOfRun(16, 50) },
    );
  });

  test('turning any signed bit changes the digest', () => {
    const digestOf = ({ contract, operation, signedTerms }: Signed) =>
      family.prepare(contract, operation, signedTerms).digest;
    fc.assert(
      fc.property(...inputs, (operation, signedTerms) => {
        const signed = { contract: anywhere, operation, signedTerms };
        const changes = everyChange(signed, row.bound);
        expect(changes).toHaveLength(fieldCount(operation) + row.bound.length);
        for (const [field, changed] of changes) expect(digestOf(changed), field).not.toBe(digestOf(signed));
      }),
      { numRuns: repeatsOfRun(8, 20) },
    );
  });

  test('the other mode is neither signed nor stubbed', () => {
    const [operation] = fc.sample(inputs[0], 1);
    const [signedTerms] = fc.sample(arbitraryTerms(row.mode === 'ERC20' ? 'SPONSORED' : 'ERC20'), 1);
    if (operation === undefined || signedTerms === undefined) throw new Error('no sample');
    expect(family.modes).toEqual([row.mode]);
    expect(() => family.prepare(anywhere, operation, signedTerms)).toThrow(TypeError);
    expect(() => family.stub(anywhere, operation, signedTerms)).toThrow(TypeError);
  });

  test('the preflight takes the contract with our signer and no other one', async () => {
    const { contract } = lab.row(row);
    const failing = async (location: PaymasterContract, signer = lab.signer.address) => {
      const complaints: string[] = [];
      for (const check of family.preflight(location, signer)) {
        const { data } = await lab.devnet.client.call({ to: location.address, data: check.data });
        const passes = 'expected' in check ? data === check.expected : check.accepts(data ?? '0x');
        if (!passes) complaints.push(check.complaint);
      }
      return complaints;
    };
    expect(await failing(contract)).toEqual([]);
    expect(await failing(contract, contract.entryPoint)).toEqual([
      `does not have ${contract.entryPoint} as its signer`,
    ]);
    const elsewhere = { ...contract, chainId: contract.chainId + 1 };
    expect(await failing(elsewhere)).toEqual([`hashes an operation in mode ${row.mode} differently than its family`]);
  });
});
