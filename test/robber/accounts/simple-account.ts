import { concat, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { UserOperationWithGas } from '../../../core/domain/user-operation.ts';
import { userOperationHash } from '../../../core/evm/entry-point/entry-points.ts';
import { encodeAccountCalls } from '../../../server/dev/user-operation/build-user-operation.ts';
import { dummySignature } from '../../../server/dev/user-operation/dev-user-operation.ts';
import type { World } from '../world.ts';
import type { AccountKind } from './robber-account.ts';

const factoryAbi = parseAbi([
  'function createAccount(address owner, uint256 salt) returns (address)',
  'function getAddress(address owner, uint256 salt) view returns (address)',
]);
/** The attacker's own key. */
export const owner: PrivateKeyAccount = privateKeyToAccount(`0x${'0bb8'.repeat(16)}`);

/** Signs as the accounts of `@account-abstraction/contracts` expect: from 0.8 on the hash as it is. */
export async function signAsOwner(
  { devnet }: World,
  key: PrivateKeyAccount,
  operation: UserOperationWithGas,
  paymasterAndData: Hex,
): Promise<Hex> {
  const entryPoint = devnet.entryPoints[operation.entryPointVersion];
  const hash = userOperationHash({ operation, paymasterAndData, entryPoint, chainId: devnet.chainId });
  const isPlain = operation.entryPointVersion === '0.8' || operation.entryPointVersion === '0.9';
  return isPlain ? key.sign({ hash }) : key.signMessage({ message: { raw: hash } });
}

type Made = {
  readonly version: EntryPointVersion;
  readonly name: string;
  readonly info: AccountKind['info'];
  readonly factory: (world: World) => Promise<Hex>;
  /** Whose accounts they are; the {@link owner}'s when absent. */
  readonly key?: PrivateKeyAccount;
};

/** Accounts whose factory, calls and signatures are those of SimpleAccount. */
export function likeSimpleAccount({ version, name, info, factory, key = owner }: Made): AccountKind {
  return {
    name,
    version,
    info,
    isKnown: true,
    placeholder: dummySignature,
    async open(world, number) {
      const address = await factory(world);
      const args = [key.address, number] as const;
      const made = encodeFunctionData({ abi: factoryAbi, functionName: 'createAccount', args });
      return {
        sender: await world.devnet.client.readContract({ address, abi: factoryAbi, functionName: 'getAddress', args }),
        initCode: concat([address, made]),
        encode: (calls) => encodeAccountCalls(version, calls),
        sign: (operation, paymasterAndData) => signAsOwner(world, key, operation, paymasterAndData),
      };
    },
  };
}

/** SimpleAccount of an EntryPoint version. */
export function simpleAccountKind(version: EntryPointVersion): AccountKind {
  return likeSimpleAccount({
    version,
    name: 'SimpleAccount',
    info: { name: 'INFINITISM', version: '1.0.0' },
    factory: async ({ devnet }) => devnet.accountFactories[version],
  });
}
