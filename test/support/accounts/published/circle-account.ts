import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  pad,
  parseAbi,
  parseAbiParameters,
  parseSignature,
  zeroHash,
} from 'viem';
import type { SmartAccount } from 'viem/account-abstraction';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Devnet } from '../../../../server/dev/devnet/devnet.ts';
import { dummySignature } from '../../../../server/dev/user-operation/dev-user-operation.ts';
import { encodeTupleCalls, handBuiltAccount } from './hand-built-account.ts';

const factory: Address = '0x0000000DF7E6c9Dc387cAFc5eCBfa6c3a6179AdD';
const plugin: Address = '0x0000000C984AFf541D6cE86Bb697e68ec57873C8';
const factoryAbi = parseAbi(['function createAccount(bytes32 sender, bytes32 salt, bytes initializingData)']);
/** The hash of the plugin's manifest, which `@circle-fin/modular-wallets-core` 1.0.15 has. */
const manifestHash: Hex = '0xa043327d77a74c1c55cfa799284b831fe09535a88b9f5fa4173d334e5ba0fd91';

/** An owner's signature of the hash of the whole operation: the plugin tells it by 32 more in the last byte. */
function ofWholeOperation(signature: Hex): Hex {
  const { r, s, v = 27n } = parseSignature(signature);
  return encodePacked(['bytes32', 'bytes32', 'uint8'], [r, s, Number(v) + 32]);
}

/** A new wallet of Circle's with one owner of weight 1, as `toCircleSmartAccount` of `@circle-fin/modular-wallets-core` builds it. */
export function circleAccount(devnet: Devnet, owner: PrivateKeyAccount): Promise<SmartAccount> {
  const installData = encodeAbiParameters(
    parseAbiParameters('address[], uint256[], (uint256 x, uint256 y)[], uint256[], uint256'),
    [[owner.address], [1n], [], [], 1n],
  );
  const data = encodeAbiParameters(parseAbiParameters('address[], bytes32[], bytes[]'), [
    [plugin],
    [manifestHash],
    [installData],
  ]);
  return handBuiltAccount({
    devnet,
    version: '0.7',
    owner,
    creation: {
      factory,
      factoryData: encodeFunctionData({ abi: factoryAbi, args: [pad(owner.address), zeroHash, data] }),
    },
    stubSignature: ofWholeOperation(dummySignature),
    encodeCalls: encodeTupleCalls,
    sign: async ({ hash }) => ofWholeOperation(await owner.signMessage({ message: { raw: hash } })),
  });
}
