import { type Address, concat, encodeFunctionData, type Hex, parseAbi, zeroHash } from 'viem';
import { toPackedUserOperation, type UserOperation } from 'viem/account-abstraction';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Devnet } from '../../../../server/dev/devnet/devnet.ts';
import { dummySignature } from '../../../../server/dev/user-operation/dev-user-operation.ts';
import { signDelegation } from '../../chain/eip7702-lab.ts';
import type { OpenedAccount } from '../matrix-accounts.ts';
import { type AccountCall, handBuiltAccount } from './hand-built-account.ts';

const delegate: Address = '0x5A7FC11397E9a8AD41BF10bf13F22B0a63f96f6d';
const executeAbi = parseAbi([
  'struct Transaction { address to; uint256 value; bytes data; }',
  'function executeBySender(Transaction[] calls)',
]);
const types = {
  Transaction: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
  Ambire4337AccountOp: [
    { name: 'account', type: 'address' },
    { name: 'chainId', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'initCode', type: 'bytes' },
    { name: 'accountGasLimits', type: 'bytes32' },
    { name: 'preVerificationGas', type: 'uint256' },
    { name: 'gasFees', type: 'bytes32' },
    { name: 'paymasterAndData', type: 'bytes' },
    { name: 'callData', type: 'bytes' },
    { name: 'calls', type: 'Transaction[]' },
    { name: 'hash', type: 'bytes32' },
  ],
} as const;

/** The mode of a plain ECDSA signature is behind it. */
const withMode = (signature: Hex): Hex => concat([signature, '0x00']);

/** An EOA that runs Ambire's account, whose key signs what the wallet shows of the operation. */
export async function ambireAccount(devnet: Devnet, owner: PrivateKeyAccount): Promise<OpenedAccount> {
  /** The calls of the operation that is signed next. */
  const encoded = new Map<Hex, readonly AccountCall[]>();
  const account = await handBuiltAccount({
    devnet,
    version: '0.7',
    owner,
    delegate,
    stubSignature: withMode(dummySignature),
    encodeCalls: (calls) => {
      const data = encodeFunctionData({ abi: executeAbi, args: [calls] });
      encoded.set(data, calls);
      return data;
    },
    sign: async ({ hash, sender, operation }) => {
      const packed = toPackedUserOperation(operation as UserOperation<'0.7'>);
      const { accountGasLimits, preVerificationGas, gasFees, paymasterAndData, nonce, initCode } = packed;
      const signature = await owner.signTypedData({
        domain: { name: 'Ambire', version: '1', chainId: devnet.chainId, verifyingContract: sender, salt: zeroHash },
        types,
        primaryType: 'Ambire4337AccountOp',
        message: {
          account: sender,
          chainId: BigInt(devnet.chainId),
          nonce,
          initCode,
          accountGasLimits,
          preVerificationGas,
          gasFees,
          paymasterAndData,
          callData: packed.callData,
          calls: encoded.get(packed.callData) ?? [],
          hash,
        },
      });
      return withMode(signature);
    },
  });
  return { account, authorize: () => signDelegation(devnet, owner, delegate) };
}
