import fc from 'fast-check';
import { type Hex, parseAbi, parseEther, size } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import { packUserOperation } from '../../core/evm/entry-point/packed-user-operation.ts';
import { stubSignature } from '../../core/evm/paymaster-contracts/family/signed-fields.ts';
import { verifyingPaymaster07 as family } from '../../core/evm/paymaster-contracts/verifying/verifying-paymaster-0.7.ts';
import { arbitraryOperation } from '../support/arbitrary/arbitrary-operation.ts';
import { arbitraryTerms } from '../support/arbitrary/arbitrary-terms.ts';
import {
  type DeployedPaymaster,
  type PaymasterLab,
  startPaymasterLab,
} from '../support/paymaster-contracts/paymaster-lab.ts';
import {
  land,
  newAccountOperation,
  setDeposit,
  signForBundle,
  tryBundle,
} from '../support/paymaster-contracts/send-sponsored.ts';
import { termsOf } from '../support/paymaster-contracts/singleton-lab.ts';
import { deployVerifyingPaymaster } from '../support/paymaster-contracts/verifying-lab.ts';

const abi = parseAbi([
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function getHash(PackedUserOperation userOp, uint48 validUntil, uint48 validAfter) view returns (bytes32)',
  'function parsePaymasterAndData(bytes paymasterAndData) pure returns (uint48 validUntil, uint48 validAfter, bytes signature)',
]);

let lab: PaymasterLab;
let paymaster: DeployedPaymaster;
let salt = 0n;

beforeAll(async () => {
  lab = await startPaymasterLab();
  paymaster = await deployVerifyingPaymaster(lab, '0.7');
});
afterAll(() => lab.close());

const inputs = [arbitraryOperation('0.7'), arbitraryTerms('SPONSORED')] as const;

test('the digest is what the contract computes, for any operation and window', async () => {
  const { contract } = paymaster;
  await fc.assert(
    fc.asyncProperty(...inputs, async (operation, signedTerms) => {
      const { unsigned, digest } = family.prepare(contract, operation, signedTerms);
      const packed = packUserOperation(operation, family.assemble(unsigned, stubSignature));
      const onChain = await lab.devnet.client.readContract({
        address: contract.address,
        abi,
        functionName: 'getHash',
        args: [packed, signedTerms.validUntil, signedTerms.validAfter],
      });
      expect(digest).toBe(onChain);
    }),
    { numRuns: 50 },
  );
});

test('the contract reads window and signature where they were put; stub and final data are 181 bytes', async () => {
  const { contract } = paymaster;
  await fc.assert(
    fc.asyncProperty(...inputs, async (operation, signedTerms) => {
      const stub = family.stub(contract, operation, signedTerms);
      expect(size(stub)).toBe(181);
      const parsed = await lab.devnet.client.readContract({
        address: contract.address,
        abi,
        functionName: 'parsePaymasterAndData',
        args: [stub],
      });
      expect(parsed).toEqual([signedTerms.validUntil, signedTerms.validAfter, stubSignature]);
    }),
    { numRuns: 10 },
  );
});

/** An operation whose call data has that many bytes in its inner call. */
async function operationWith(bytes: number): Promise<UserOperationWithGas> {
  salt += 1n;
  const data: Hex = `0x${'ab'.repeat(bytes)}`;
  const call = { mode: 'SPONSORED', target: lab.devnet.tokenRecipient, data, salt } as const;
  const operation = await newAccountOperation(lab, paymaster, call);
  return { ...operation, gas: { ...operation.gas, callGasLimit: 500_000n, preVerificationGas: 2_700_000n } };
}

test.each([4, 65_536 - 164])('an operation with %i bytes of inner data lands within the worst case', async (bytes) => {
  await setDeposit(lab, paymaster, parseEther('10'));
  const operation = await operationWith(bytes);
  const signedTerms = termsOf('SPONSORED', lab.devnet.tokenRecipient, lab.devnet.tokenRecipient);
  const token = lab.devnet.tokens[0]?.address ?? '0x';
  const landed = await land(lab, operation, await signForBundle(lab, paymaster, operation, signedTerms), token);
  expect(landed.success).toBe(true);
  expect(landed.actualGasCost).toBeLessThanOrEqual(family.worstCase(operation, signedTerms));
});

test('the worst case is exactly the deposit the EntryPoint asks for', async () => {
  const operation = await operationWith(4);
  const signedTerms = termsOf('SPONSORED', lab.devnet.tokenRecipient, lab.devnet.tokenRecipient);
  const bundle = await signForBundle(lab, paymaster, operation, signedTerms);
  await setDeposit(lab, paymaster, family.worstCase(operation, signedTerms) - 1n);
  await expect(tryBundle(lab, operation, bundle)).rejects.toThrow('AA31');
  await setDeposit(lab, paymaster, family.worstCase(operation, signedTerms));
  await expect(tryBundle(lab, operation, bundle)).resolves.toBeUndefined();
});

test('it takes no tokens', () => {
  const [operation] = fc.sample(arbitraryOperation('0.7'), 1);
  const [signedTerms] = fc.sample(arbitraryTerms('ERC20'), 1);
  if (operation === undefined || signedTerms === undefined) throw new Error('no sample');
  expect(family.modes).toEqual(['SPONSORED']);
  expect(family.maximumTokenCharge(operation, signedTerms)).toBe(0n);
  expect(() => family.prepare(paymaster.contract, operation, signedTerms)).toThrow('does not accept tokens');
});
