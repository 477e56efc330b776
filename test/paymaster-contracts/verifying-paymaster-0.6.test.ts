import fc from 'fast-check';
import { type Hex, pad, parseAbi, parseEther, size, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import { toUserOperation06 } from '../../core/evm/entry-point/v0.6.ts';
import type { PaymasterContract } from '../../core/evm/paymaster-contracts/family/family.ts';
import { stubSignature } from '../../core/evm/paymaster-contracts/family/signed-fields.ts';
import { verifyingPaymaster06 as family } from '../../core/evm/paymaster-contracts/verifying/verifying-paymaster-0.6.ts';
import { arbitraryOperation } from '../support/arbitrary/arbitrary-operation.ts';
import { arbitraryTerms } from '../support/arbitrary/arbitrary-terms.ts';
import { openTerms } from '../support/paymaster-contracts/biconomy-table.ts';
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
import { deployVerifyingPaymaster } from '../support/paymaster-contracts/verifying-lab.ts';
import { everyChange, fieldCount, type Signed } from './every-change.ts';

const abi = parseAbi([
  'struct UserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }',
  'function getHash(UserOperation userOp, uint48 validUntil, uint48 validAfter) view returns (bytes32)',
  'function parsePaymasterAndData(bytes paymasterAndData) pure returns (uint48 validUntil, uint48 validAfter, bytes signature)',
]);
const noneYet = pad('0x0');

let lab: PaymasterLab;
let paymaster: DeployedPaymaster;
let salt = 0n;

beforeAll(async () => {
  lab = await startPaymasterLab();
  paymaster = await deployVerifyingPaymaster(lab, '0.6');
});
afterAll(() => lab.close());

const inputs = [arbitraryOperation('0.6'), arbitraryTerms('SPONSORED')] as const;
const open = () => openTerms('SPONSORED', lab.devnet.tokenRecipient, lab.devnet.tokenRecipient);

/** What the chain answers to the family's question about the sender. */
async function readState(operation: UserOperationWithGas): Promise<Hex> {
  const data = family.stateData?.(operation);
  if (data === undefined) throw new Error('the family asks nothing');
  const answer = await lab.devnet.client.call({ to: paymaster.contract.address, data });
  return answer.data ?? '0x';
}

async function operationWith(bytes: number): Promise<UserOperationWithGas> {
  salt += 1n;
  const data: Hex = `0x${'ab'.repeat(bytes)}`;
  const call = { mode: 'SPONSORED', target: lab.devnet.tokenRecipient, data, salt } as const;
  const operation = await newAccountOperation(lab, paymaster, call);
  return {
    ...operation,
    gas: { ...operation.gas, callGasLimit: 500_000n, verificationGasLimit: 1_500_000n, preVerificationGas: 2_700_000n },
  };
}

test('the digest is what the contract computes, for any operation and window', async () => {
  const { contract } = paymaster;
  await fc.assert(
    fc.asyncProperty(...inputs, async (operation, signedTerms) => {
      const { unsigned, digest } = family.prepare(contract, operation, signedTerms, noneYet);
      const complete = toUserOperation06(operation, family.assemble(unsigned, stubSignature));
      const onChain = await lab.devnet.client.readContract({
        address: contract.address,
        abi,
        functionName: 'getHash',
        args: [complete, signedTerms.validUntil, signedTerms.validAfter],
      });
      expect(digest).toBe(onChain);
    }),
    { numRuns: 50 },
  );
});

test('the contract reads window and signature where they were put; stub and final data are 149 bytes', async () => {
  const { contract } = paymaster;
  await fc.assert(
    fc.asyncProperty(...inputs, async (operation, signedTerms) => {
      const stub = family.stub(contract, operation, signedTerms);
      expect(size(stub)).toBe(149);
      expect(family.assemble(family.prepare(contract, operation, signedTerms, noneYet).unsigned, stubSignature)).toBe(
        stub,
      );
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

test('turning any signed bit changes the digest, the senderNonce among them', () => {
  const contract: PaymasterContract = {
    chainId: 1,
    address: `0x${'ab'.repeat(20)}`,
    entryPoint: `0x${'cd'.repeat(20)}`,
  };
  const digestOf = (signed: Signed, state: Hex) =>
    family.prepare(signed.contract, signed.operation, signed.signedTerms, state).digest;
  fc.assert(
    fc.property(...inputs, fc.bigInt({ min: 0n, max: 2n ** 256n - 2n }), (operation, signedTerms, count) => {
      const signed = { contract, operation, signedTerms };
      const state = toHex(count, { size: 32 });
      const changes = everyChange(signed, ['validUntil', 'validAfter']);
      expect(changes).toHaveLength(fieldCount(operation) + 2);
      for (const [field, changed] of changes) {
        expect(digestOf(changed, state), field).not.toBe(digestOf(signed, state));
      }
      expect(digestOf(signed, toHex(count + 1n, { size: 32 }))).not.toBe(digestOf(signed, state));
    }),
    { numRuns: 20 },
  );
});

test.each([4, 65_536 - 164])('an operation with %i bytes of inner data lands within the worst case', async (bytes) => {
  await setDeposit(lab, paymaster, parseEther('10'));
  const operation = await operationWith(bytes);
  const bundle = await signForBundle(lab, paymaster, operation, open(), await readState(operation));
  const landed = await land(lab, operation, bundle, lab.devnet.tokens[0]?.address ?? '0x');
  expect(landed.success).toBe(true);
  expect(landed.actualGasCost).toBeLessThanOrEqual(family.worstCase(operation, open()));
});

test('after one operation of a sender the next is signed for the count the chain then has', async () => {
  await setDeposit(lab, paymaster, parseEther('10'));
  const first = await operationWith(4);
  const before = await readState(first);
  const second = { ...first, nonce: 1n, initCode: '0x' } as const;
  const early = await signForBundle(lab, paymaster, second, open(), before);
  const token = lab.devnet.tokens[0]?.address ?? '0x';
  await land(lab, first, await signForBundle(lab, paymaster, first, open(), before), token);
  expect(BigInt(await readState(first))).toBe(1n);
  await expect(tryBundle(lab, second, early)).rejects.toThrow('AA34');
  const fresh = await signForBundle(lab, paymaster, second, open(), await readState(second));
  expect((await land(lab, second, fresh, token)).success).toBe(true);
});

test('the worst case is exactly the deposit the EntryPoint asks for', async () => {
  const operation = await operationWith(4);
  const bundle = await signForBundle(lab, paymaster, operation, open(), noneYet);
  await setDeposit(lab, paymaster, family.worstCase(operation, open()) - 1n);
  await expect(tryBundle(lab, operation, bundle)).rejects.toThrow('AA31');
  await setDeposit(lab, paymaster, family.worstCase(operation, open()));
  await expect(tryBundle(lab, operation, bundle)).resolves.toBeUndefined();
});

test('the preflight takes the published contract with our signer and no other one', async () => {
  const failing = async (signer: typeof lab.signer.address) => {
    const answers = family.preflight(paymaster.contract, signer).map(async (check) => {
      const { data } = await lab.devnet.client.call({ to: paymaster.contract.address, data: check.data });
      return 'expected' in check && data === check.expected ? [] : [check.complaint];
    });
    return (await Promise.all(answers)).flat();
  };
  expect(await failing(lab.signer.address)).toEqual([]);
  expect(await failing(lab.devnet.tokenRecipient)).toEqual([
    `does not have ${lab.devnet.tokenRecipient} as its signer`,
  ]);
});

test('nothing is signed without the senderNonce, and no tokens are taken', () => {
  const [operation] = fc.sample(arbitraryOperation('0.6'), 1);
  const [signedTerms] = fc.sample(arbitraryTerms('ERC20'), 1);
  if (operation === undefined || signedTerms === undefined) throw new Error('no sample');
  expect(() => family.prepare(paymaster.contract, operation, open())).toThrow('needs the senderNonce');
  expect(() => family.prepare(paymaster.contract, operation, signedTerms, noneYet)).toThrow('does not accept tokens');
});
