import fc from 'fast-check';
import { type Address, concatHex, getAddress, type Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SponsorshipMode } from '../../core/domain/sponsorship.ts';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import { delegationCode, eip7702Marker, shortEip7702Marker } from '../../core/evm/entry-point/eip7702.ts';
import { entryPoint07Abi } from '../../core/evm/entry-point/entry-point-abi.ts';
import { userOperationHash } from '../../core/evm/entry-point/entry-points.ts';
import { packUserOperation } from '../../core/evm/entry-point/packed-user-operation.ts';
import { stubSignature } from '../../core/evm/paymaster-contracts/family/signed-fields.ts';
import { arbitraryAddress, arbitraryHex, arbitraryOperation } from '../support/arbitrary/arbitrary-operation.ts';
import { arbitraryTerms } from '../support/arbitrary/arbitrary-terms.ts';
import {
  type SingletonLab,
  singletonContract,
  singletonFamily,
  startSingletonLab,
} from '../support/paymaster-contracts/singleton-lab.ts';

let lab: SingletonLab;
beforeAll(async () => {
  lab = await startSingletonLab();
});
afterAll(() => lab.close());

const family = singletonFamily('0.8');
const initCodes = fc.oneof(
  fc.constantFrom<Hex>(eip7702Marker, shortEip7702Marker),
  arbitraryHex({ maxLength: 40 }).map((data) => concatHex([eip7702Marker, data])),
);

async function delegateTo(sender: Address, delegate: Address): Promise<void> {
  await lab.devnet.client.setCode({ address: sender, bytecode: delegationCode(delegate) });
}

function hashOnChain(operation: UserOperationWithGas, paymasterAndData: Hex): Promise<Hex> {
  const { entryPoint } = singletonContract(lab.devnet, '0.8');
  const args = [packUserOperation(operation, paymasterAndData)] as const;
  return lab.devnet.client.readContract({
    address: entryPoint,
    abi: entryPoint07Abi,
    functionName: 'getUserOpHash',
    args,
  });
}

test.each<SponsorshipMode>(['SPONSORED', 'ERC20'])(
  'mode %s: the paymaster contract hashes the marker as it is, the EntryPoint the delegate in its place',
  async (mode) => {
    const contract = singletonContract(lab.devnet, '0.8');
    const property = fc.asyncProperty(
      arbitraryOperation('0.8'),
      initCodes,
      arbitraryTerms(mode),
      arbitraryAddress,
      arbitraryAddress,
      async (any, initCode, signedTerms, one, other) => {
        fc.pre(getAddress(one) !== getAddress(other));
        const marked = { ...any, initCode };
        const { unsigned, digest } = family.prepare(contract, { ...marked, eip7702Delegate: one }, signedTerms);
        const paymasterAndData = family.assemble(unsigned, stubSignature);
        const location = { paymasterAndData, entryPoint: contract.entryPoint, chainId: contract.chainId };
        const hashes: Hex[] = [];
        for (const eip7702Delegate of [one, other]) {
          await delegateTo(marked.sender, eip7702Delegate);
          expect(await lab.getHash(mode, marked, paymasterAndData)).toBe(digest);
          hashes.push(userOperationHash({ operation: { ...marked, eip7702Delegate }, ...location }));
          expect(hashes.at(-1)).toBe(await hashOnChain(marked, paymasterAndData));
        }
        expect(hashes[0]).not.toBe(hashes[1]);
      },
    );
    await fc.assert(property, { numRuns: 10 });
  },
);
