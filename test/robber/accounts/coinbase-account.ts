import { type Address, concat, encodeAbiParameters, encodeFunctionData, type Hex, pad, parseAbi } from 'viem';
import { userOperationHash } from '../../../core/evm/entry-point/entry-points.ts';
import { encodeAccountCalls } from '../../../server/dev/user-operation/build-user-operation.ts';
import { dummySignature } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { placeCode } from '../../support/accounts/place-code.ts';
import { compiledContract } from '../compiled-contract.ts';
import type { AccountKind } from './robber-account.ts';
import { owner } from './simple-account.ts';

const factory: Address = '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a';
const implementation: Address = '0x000100abaad02f1cfC8Bbe32bD5a564817339E72';
const abi = parseAbi([
  'function createAccount(bytes[] owners, uint256 nonce) payable returns (address)',
  'function getAddress(bytes[] owners, uint256 nonce) view returns (address)',
]);

function ofFirstOwner(signature: Hex): Hex {
  return encodeAbiParameters(
    [{ type: 'tuple', components: [{ type: 'uint256' }, { type: 'bytes' }] }],
    [[0n, signature]],
  );
}

/** A stand-in for Coinbase Smart Wallet 1, at its addresses. */
export const coinbaseKind: AccountKind = {
  name: 'Coinbase Smart Wallet 1',
  version: '0.6',
  isKnown: true,
  info: { name: 'COINBASE_SMART_WALLET', version: '1.0.0' },
  placeholder: ofFirstOwner(dummySignature),
  async open(world, number) {
    await placeCode(world, implementation, compiledContract('CoinbaseStandIn'));
    await placeCode(world, factory, compiledContract('CoinbaseFactoryStandIn'));
    const { devnet } = world;
    const args = [[pad(owner.address)], number] as const;
    return {
      sender: await devnet.client.readContract({ address: factory, abi, functionName: 'getAddress', args }),
      initCode: concat([factory, encodeFunctionData({ abi, functionName: 'createAccount', args })]),
      // Batches are those of SimpleAccount 0.8.
      encode: (calls) => encodeAccountCalls('0.8', calls),
      sign: async (operation, paymasterAndData) => {
        const entryPoint = devnet.entryPoints['0.6'];
        const hash = userOperationHash({ operation, paymasterAndData, entryPoint, chainId: devnet.chainId });
        return ofFirstOwner(await owner.sign({ hash }));
      },
    };
  },
};
