import fc from 'fast-check';
import { type Hex, hashMessage, hexToBytes, recoverAddress, size } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SponsorshipMode } from '../../core/domain/sponsorship.ts';
import { stubSignature } from '../../core/evm/paymaster-contracts/family/signed-fields.ts';
import { arbitraryOperation } from '../support/arbitrary/arbitrary-operation.ts';
import { arbitraryTerms } from '../support/arbitrary/arbitrary-terms.ts';
import {
  type SingletonLab,
  singletonContract,
  singletonFamily,
  singletonVersions,
  startSingletonLab,
} from '../support/paymaster-contracts/singleton-lab.ts';
import { repeatsOfRun } from '../support/run/rows-of-run.ts';

const modes = ['SPONSORED', 'ERC20'] as const satisfies SponsorshipMode[];
const kinds = singletonVersions.flatMap((version) => modes.map((mode) => ({ version, mode })));
/** From the layout: 20 or 52 bytes of prefix, 13, 118 or 150 of data, 65 of signature. */
const sizes = {
  '0.6': { SPONSORED: 98, ERC20: 203 },
  '0.7': { SPONSORED: 130, ERC20: 267 },
  '0.8': { SPONSORED: 130, ERC20: 267 },
};

let lab: SingletonLab;
beforeAll(async () => {
  lab = await startSingletonLab();
});
afterAll(() => lab.close());

function zeroBytes(data: Hex): number {
  return hexToBytes(data).filter((byte) => byte === 0).length;
}

describe.each(kinds)('singleton $version in mode $mode', ({ version, mode }) => {
  const family = singletonFamily(version);
  const inputs = [arbitraryOperation(version), arbitraryTerms(mode)] as const;

  test('the digest is what the contract computes, for any operation and terms', async () => {
    const contract = singletonContract(lab.devnet, version);
    await fc.assert(
      fc.asyncProperty(...inputs, async (operation, signedTerms) => {
        const { unsigned, digest } = family.prepare(contract, operation, signedTerms);
        expect(digest).toBe(await lab.getHash(mode, operation, family.assemble(unsigned, stubSignature)));
      }),
      { numRuns: repeatsOfRun(16, 50) },
    );
  });

  test('the contract accepts a signature over the digest and reads the window out of the data', async () => {
    const contract = singletonContract(lab.devnet, version);
    await fc.assert(
      fc.asyncProperty(...inputs, async (operation, signedTerms) => {
        const { unsigned, digest } = family.prepare(contract, operation, signedTerms);
        const signature = await lab.signer.signMessage({ message: { raw: digest } });
        const verdict = await lab.validate(operation, family.assemble(unsigned, signature));
        expect(verdict).toMatchObject({
          signatureAccepted: true,
          validUntil: signedTerms.validUntil,
          validAfter: signedTerms.validAfter,
        });
      }),
      { numRuns: 10 },
    );
  });

  test('the stub goes the same way on chain and is not accepted', async () => {
    const contract = singletonContract(lab.devnet, version);
    await fc.assert(
      fc.asyncProperty(...inputs, async (operation, signedTerms) => {
        const { unsigned, digest } = family.prepare(contract, operation, signedTerms);
        const signature = await lab.signer.signMessage({ message: { raw: digest } });
        const [stub, signed] = await Promise.all([
          lab.validate(operation, family.stub(contract, operation, signedTerms)),
          lab.validate(operation, family.assemble(unsigned, signature)),
        ]);
        // The stub's fee of one unit is the only difference.
        const context = expect.stringMatching(new RegExp(`^0x.{${signed.context.length - 2}}$`));
        expect(stub).toEqual({ ...signed, context, signatureAccepted: false });
      }),
      { numRuns: 10 },
    );
  });

  test('stub and final data are equally long, the stub with no more zero bytes', () => {
    const contract = { chainId: 1, address: `0x${'ab'.repeat(20)}`, entryPoint: `0x${'cd'.repeat(20)}` } as const;
    const signature = fc.uint8Array({ minLength: 65, maxLength: 65 });
    fc.assert(
      fc.property(...inputs, signature, (operation, signedTerms, bytes) => {
        const { unsigned } = family.prepare(contract, operation, signedTerms);
        const final = family.assemble(unsigned, `0x${Buffer.from(bytes).toString('hex')}`);
        const stub = family.stub(contract, operation, signedTerms);
        expect(size(final)).toBe(sizes[version][mode]);
        expect(size(stub)).toBe(size(final));
        expect(zeroBytes(stub)).toBeLessThanOrEqual(zeroBytes(final));
      }),
      { numRuns: repeatsOfRun(16, 50) },
    );
  });

  test('a signature of another length is not assembled', () => {
    expect(() => family.assemble('0x1234', `0x${'11'.repeat(64)}`)).toThrow(RangeError);
  });
});

test('the stub signature has no zero byte and names an address no one chose, whatever is signed', async () => {
  expect(zeroBytes(stubSignature)).toBe(0);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (digest) => {
      const recovered = await recoverAddress({ hash: hashMessage({ raw: digest }), signature: stubSignature });
      expect(BigInt(recovered)).toBeGreaterThan(0n);
      expect(recovered).not.toBe(lab.signer.address);
    }),
    { numRuns: repeatsOfRun(8, 20) },
  );
});
