import { join } from 'node:path';
import { type Address, concatHex, encodeFunctionData, type Hex, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import { delegationCode, eip7702Marker } from '../../core/evm/entry-point/eip7702.ts';
import { entryPoint07Abi } from '../../core/evm/entry-point/entry-point-abi.ts';
import { packUserOperation } from '../../core/evm/entry-point/packed-user-operation.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { type PaymasterLab, startPaymasterLab } from '../support/paymaster-contracts/paymaster-lab.ts';
import { bundler, setDeposit, tryBundle } from '../support/paymaster-contracts/send-sponsored.ts';
import { termsOf } from '../support/paymaster-contracts/singleton-lab.ts';
import { deployTollfree } from '../support/paymaster-contracts/tollfree-lab.ts';

const sender: Address = `0x${'5e'.repeat(20)}`;
const initData: Hex = '0xa1b2c3';

let lab: PaymasterLab;
beforeAll(async () => {
  lab = await startPaymasterLab();
});
afterAll(() => lab.close());

async function deployAccount(): Promise<Address> {
  const { client } = lab.devnet;
  const compiled = compileSolidity(join(import.meta.dirname, 'contracts/OpenAccount.sol')).get('OpenAccount');
  if (compiled === undefined) throw new Error('There is no account.');
  const deploy = { account: bundler(lab), chain: client.chain, abi: compiled.abi, bytecode: compiled.creationBytecode };
  const { contractAddress } = await client.waitForTransactionReceipt({ hash: await client.deployContract(deploy) });
  if (!contractAddress) throw new Error('The account was not made.');
  return contractAddress;
}

/**
 * A signature is given for an operation of a sender that delegates to one account, marked with EIP-7702. Then the sender delegates
 * to another account, and the operation is sent with the first one's address instead of the marker: EntryPoint 0.9 leaves the
 * `initCode` of an account with code out.
 */
async function withAnotherDelegate() {
  const paymaster = await deployTollfree(lab, 'tollfree-0.9');
  const { contract, family } = paymaster;
  await setDeposit(lab, paymaster, parseEther('1'));
  const [one, other] = [await deployAccount(), await deployAccount()];
  const { client, tokenRecipient } = lab.devnet;
  await client.setCode({ address: sender, bytecode: delegationCode(one) });
  const marked: UserOperationWithGas = {
    entryPointVersion: '0.9',
    sender,
    nonce: 0n,
    initCode: concatHex([eip7702Marker, initData]),
    eip7702Delegate: one,
    callData: '0x12345678',
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    signature: '0x',
    gas: {
      callGasLimit: 100_000n,
      verificationGasLimit: 100_000n,
      preVerificationGas: 60_000n,
      ...family.paymasterGasLimits('SPONSORED', gasSchedules.osaka),
    },
  };
  const prepared = family.prepare(contract, marked, termsOf('SPONSORED', tokenRecipient, tokenRecipient));
  const signature = await lab.signer.signMessage({ message: { raw: prepared.digest } });
  const paymasterAndData = family.assemble(prepared.unsigned, signature);
  const bundleOf = (initCode: Hex) =>
    encodeFunctionData({
      abi: entryPoint07Abi,
      functionName: 'handleOps',
      args: [[packUserOperation({ ...marked, initCode }, paymasterAndData)], bundler(lab).address],
    });
  const asSigned = bundleOf(marked.initCode);
  await tryBundle(lab, marked, asSigned);
  await client.setCode({ address: sender, bytecode: delegationCode(other) });
  return { marked, asSigned, renamed: bundleOf(concatHex([one, initData])) };
}

describe('an operation with the EIP-7702 marker that was signed for one delegate', () => {
  test('does not land once its sender delegates to another account, whatever its initCode says', async () => {
    const { marked, asSigned, renamed } = await withAnotherDelegate();
    for (const bundle of [asSigned, renamed]) {
      await expect(tryBundle(lab, marked, bundle)).rejects.toThrow(/AA34|41413334/);
    }
  });
});
