import { Implementation, toMetaMaskSmartAccount } from '@metamask/smart-accounts-kit';
import { toSafeSmartAccount } from 'permissionless/accounts';
import { type Address, concat, type Hex, keccak256, numberToHex, slice, zeroAddress } from 'viem';
import type { UserOperation } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import type { UserOperationWithGas } from '../../../core/domain/user-operation.ts';
import { deploySafe } from '../../../server/dev/devnet/deploy-safe.ts';
import { dummySignature } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { deployMetaMask } from '../../support/accounts/deploy-metamask.ts';
import { safe7579, safe7579Contracts } from '../../support/accounts/matrix-accounts.ts';
import { bundler } from '../../support/chain/chain-lab.ts';
import { signDelegation } from '../../support/chain/eip7702-lab.ts';
import { chainClient } from '../../support/service/client-lab.ts';
import { noWork } from '../plan/plan.ts';
import { delegateTo } from './delegating-account.ts';
import { deployModule, encodeWork, hasGreedyValidator, type Modules } from './modular-account.ts';
import type { AccountKind, RobberAccount } from './robber-account.ts';
import { owner } from './simple-account.ts';

/** What published clients' accounts of EntryPoint 0.7 have in common. */
type PublishedAccount = {
  readonly address: Address;
  encodeCalls(calls: readonly { to: Address; value?: bigint; data: Hex }[]): Promise<Hex>;
  signUserOperation(operation: UserOperation<'0.7'>): Promise<Hex>;
};

function fromPublished(account: PublishedAccount): Omit<RobberAccount, 'initCode'> {
  return {
    sender: account.address,
    encode: (calls) => account.encodeCalls(calls.map(({ to, value = 0n, data }) => ({ to, value, data }))),
    sign: (operation, paymasterAndData) => account.signUserOperation(unpack(operation, paymasterAndData)),
  };
}

function unpack({ gas, ...operation }: UserOperationWithGas, paymasterAndData: Hex): UserOperation<'0.7'> {
  const { sender, nonce, callData, maxFeePerGas, maxPriorityFeePerGas, initCode } = operation;
  const { callGasLimit, verificationGasLimit, preVerificationGas } = gas;
  return {
    sender,
    nonce,
    callData,
    maxFeePerGas,
    maxPriorityFeePerGas,
    callGasLimit,
    verificationGasLimit,
    preVerificationGas,
    // Safe's client takes an operation without the field for one of 0.6.
    factory: initCode === '0x' ? undefined : slice(initCode, 0, 20),
    factoryData: initCode === '0x' ? undefined : slice(initCode, 20),
    ...(paymasterAndData === '0x' ? {} : unpackPaymaster(paymasterAndData)),
    signature: '0x',
  };
}

function unpackPaymaster(paymasterAndData: Hex) {
  return {
    paymaster: slice(paymasterAndData, 0, 20),
    paymasterVerificationGasLimit: BigInt(slice(paymasterAndData, 20, 36)),
    paymasterPostOpGasLimit: BigInt(slice(paymasterAndData, 36, 52)),
    paymasterData: slice(paymasterAndData, 52),
  };
}

/** Two times of 6 bytes, then the signature of the owner (Safe4337Module). */
const safePlaceholder = concat([`0x${'00'.repeat(12)}`, dummySignature]);

/** Safe 1.4.1 with its module 0.3.0. */
export const safeKind: AccountKind = {
  name: 'Safe 1.4.1',
  version: '0.7',
  isKnown: true,
  info: { name: 'SAFE', version: '1.4.1' },
  placeholder: safePlaceholder,
  async open({ devnet }, number) {
    await deploySafe(devnet.client, bundler);
    const client = chainClient(devnet);
    const account = await toSafeSmartAccount({ client, owners: [owner], version: '1.4.1', saltNonce: number });
    const { factory, factoryData } = await account.getFactoryArgs();
    if (factory === undefined || factoryData === undefined) throw new Error('The Safe already exists.');
    return { ...fromPublished(account), initCode: concat([factory, factoryData]) };
  },
};

/** Safe7579 as its client creates it: the first operation sets it up, with the attacker's validator where there is one. */
export function safe7579Kind(modules: Extract<Modules, 'published' | 'own validator'>): AccountKind {
  const isGreedy = hasGreedyValidator(modules);
  return {
    name: isGreedy ? 'Safe7579 with own validator' : 'Safe7579',
    version: '0.7',
    isKnown: true,
    info: { name: 'SAFE_7579', version: '1.0.0' },
    placeholder: isGreedy ? encodeWork(noWork) : safePlaceholder,
    ...(isGreedy ? { hasModule: true } : {}),
    async open(world, number) {
      await safe7579Contracts(world.devnet);
      const validator = isGreedy ? await deployModule(world, modules) : zeroAddress;
      const account = await toSafeSmartAccount({
        client: chainClient(world.devnet),
        owners: [owner],
        version: '1.4.1',
        saltNonce: number,
        safe4337ModuleAddress: safe7579.adapter,
        erc7579LaunchpadAddress: safe7579.launchpad,
        validators: isGreedy ? [{ address: validator, context: '0x' }] : [],
      });
      const { factory, factoryData } = await account.getFactoryArgs();
      if (factory === undefined || factoryData === undefined) throw new Error('The Safe already exists.');
      return {
        ...fromPublished(account),
        initCode: concat([factory, factoryData]),
        // The validator, and four bytes that are free.
        nonceKey: (key) => (BigInt(validator) << 32n) | key,
        ...(isGreedy ? { signWork: encodeWork } : {}),
      };
    },
  };
}

let metaMask: { readonly rpcUrl: string; readonly environment: ReturnType<typeof deployMetaMask> } | undefined;

/** MetaMask's account for addresses that delegate (EIP-7702). */
export const metaMaskKind: AccountKind = {
  name: 'MetaMask EIP-7702',
  version: '0.7',
  isKnown: true,
  info: { name: 'METAMASK', version: '1.0.0' },
  placeholder: dummySignature,
  async open(world, number) {
    const { devnet } = world;
    if (metaMask?.rpcUrl !== devnet.rpcUrl) {
      metaMask = { rpcUrl: devnet.rpcUrl, environment: deployMetaMask(devnet) };
    }
    const environment = await metaMask.environment;
    const delegate = environment.implementations.EIP7702StatelessDeleGatorImpl;
    if (delegate === undefined) throw new Error('The kit has deployed no account for EIP-7702.');
    const key = privateKeyToAccount(keccak256(concat(['0x3e7a', numberToHex(number, { size: 32 })])));
    const account = await toMetaMaskSmartAccount({
      client: chainClient(devnet),
      implementation: Implementation.Stateless7702,
      address: key.address,
      signer: { account: key },
      environment,
    });
    return {
      ...fromPublished(account),
      initCode: '0x',
      authorization: { delegate, sign: () => signDelegation(devnet, key, delegate) },
      settle: () => delegateTo(world, key, delegate),
    };
  },
};
