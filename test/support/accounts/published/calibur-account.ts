import { type Address, concat, encodeAbiParameters, type Hex, parseAbiParameters, zeroHash } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Devnet } from '../../../../server/dev/devnet/devnet.ts';
import { dummySignature } from '../../../../server/dev/user-operation/dev-user-operation.ts';
import { signDelegation } from '../../chain/eip7702-lab.ts';
import type { OpenedAccount } from '../matrix-accounts.ts';
import { handBuiltAccount } from './hand-built-account.ts';

const delegate: Address = '0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00';
/** `executeUserOp`, behind which the calls are without a method of their own. */
const executeUserOp: Hex = '0x8dd7712f';

/** The EOA's own key, a signature of it, and nothing for a hook. */
function wrap(signature: Hex): Hex {
  return encodeAbiParameters(parseAbiParameters('bytes32, bytes, bytes'), [zeroHash, signature, '0x']);
}

/** An EOA that runs Uniswap's Calibur, whose key signs. */
export async function caliburAccount(devnet: Devnet, owner: PrivateKeyAccount): Promise<OpenedAccount> {
  const account = await handBuiltAccount({
    devnet,
    version: '0.8',
    owner,
    delegate,
    stubSignature: wrap(dummySignature),
    encodeCalls: (calls) =>
      concat([
        executeUserOp,
        encodeAbiParameters(
          parseAbiParameters('((address to, uint256 value, bytes data)[] calls, bool revertOnFailure)'),
          [{ calls, revertOnFailure: true }],
        ),
      ]),
    sign: async ({ hash }) => wrap(await owner.sign({ hash })),
  });
  return { account, authorize: () => signDelegation(devnet, owner, delegate) };
}
