import { readFileSync } from 'node:fs';
import { Implementation, toMetaMaskSmartAccount } from '@metamask/smart-accounts-kit';
import { toBiconomySmartAccount, toKernelSmartAccount, toSafeSmartAccount } from 'permissionless/accounts';
import { type Address, concat, type Hex, pad } from 'viem';
import type { SmartAccount } from 'viem/account-abstraction';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { deploySafe } from '../../../server/dev/devnet/deploy-safe.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../../server/dev/devnet/devnet-client.ts';
import { compileSolidity } from '../../../tools/compile-solidity.ts';
import { bundler } from '../chain/chain-lab.ts';
import { delegatingAccount, signDelegation } from '../chain/eip7702-lab.ts';
import { packageFile } from '../packages/pack.ts';
import { deployBiconomyAccount } from '../published-clients/deploy-biconomy-account.ts';
import { deployModularFactory, newModularAccount } from '../published-clients/to-modular-account.ts';
import { chainClient, simpleAccount } from '../service/client-lab.ts';
import { freshKey } from '../service/running-service.ts';
import { deployMetaMask } from './deploy-metamask.ts';
import { modulekitCode, placeCode } from './place-code.ts';

/** An account in viem's form, and the authorization of the operations that need one. */
export type OpenedAccount = {
  readonly account: SmartAccount;
  authorize?(): ReturnType<typeof signDelegation>;
};

/** A kind of account whose code can be put on a development chain. */
export type MatrixAccount = {
  readonly kind: string;
  readonly version: EntryPointVersion;
  /** Where its code is from, for the page. */
  readonly code: string;
  /** Its client reads the account's code, and asks nothing of the service once that is another one. */
  readonly clientReadsCode?: true;
  open(devnet: Devnet): Promise<OpenedAccount>;
};

const newOwner = () => privateKeyToAccount(freshKey());

/** Contracts are put on a chain once. A lease of it ends with them, so each lease is a chain of its own. */
function once<Made>(make: (devnet: Devnet) => Promise<Made>): (devnet: Devnet) => Promise<Made> {
  const made = new WeakMap<Devnet, Promise<Made>>();
  return (devnet) => {
    const known = made.get(devnet) ?? make(devnet);
    made.set(devnet, known);
    return known;
  };
}

function simple(version: EntryPointVersion): MatrixAccount {
  return {
    kind: 'SimpleAccount',
    version,
    code: '`@account-abstraction/contracts`',
    open: async (devnet) => ({ account: await simpleAccount(devnet, version, newOwner()) }),
  };
}

const simple7702: MatrixAccount = {
  kind: 'Simple7702Account (EIP-7702)',
  version: '0.8',
  code: '`@account-abstraction/contracts`',
  open: async (devnet) => {
    const owner = newOwner();
    const delegate = devnet.simple7702Account;
    return {
      account: await delegatingAccount(devnet, delegate, owner),
      authorize: () => signDelegation(devnet, owner, delegate),
    };
  },
};

export const safe141Contracts = once(({ client }) => deploySafe(client, bundler));
const singletonFactory: Address = '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7';
const artifactSchema = z.object({ bytecode: z.templateLiteral(['0x', z.string()]) });

/** Safe 1.5.0 uses the modules that {@link deploySafe} puts there. */
export const safe150Contracts = once(async (devnet) => {
  await safe141Contracts(devnet);
  const names = ['Safe', 'SafeL2', 'proxies/SafeProxyFactory', 'libraries/MultiSend', 'libraries/MultiSendCallOnly'];
  const codes = names.map((path): Hex => {
    const file = `build/artifacts/contracts/${path}.sol/${path.split('/').at(-1)}.json`;
    return artifactSchema.parse(JSON.parse(readFileSync(packageFile('@safe-global/safe-smart-account', file), 'utf8')))
      .bytecode;
  });
  const deployments = codes.map((code, index) => ({
    description: names[index] ?? '',
    to: singletonFactory,
    data: concat([pad('0x', { size: 32 }), code]),
  }));
  await sendInOrder(devnet.client, bundler, deployments);
});

function safe(version: '1.4.1' | '1.5.0', deploy: (devnet: Devnet) => Promise<unknown>): MatrixAccount {
  return {
    kind: `Safe ${version}`,
    version: '0.7',
    code: version === '1.4.1' ? '`@safe-global/safe-contracts`' : '`@safe-global/safe-smart-account`',
    open: async (devnet) => {
      await deploy(devnet);
      return { account: await toSafeSmartAccount({ client: chainClient(devnet), owners: [newOwner()], version }) };
    },
  };
}

/** Where Safe7579 is on public chains. */
export const safe7579 = {
  adapter: '0x7579EE8307284F293B1927136486880611F20002',
  launchpad: '0x7579011aB74c46090561ea277Ba79D510c6C00ff',
} as const;
export const safe7579Contracts = once(async (devnet) => {
  await safe141Contracts(devnet);
  const noRegistry = pad('0x', { size: 32 });
  const entryPoint = pad(devnet.entryPoints['0.7']);
  await placeCode({ devnet }, safe7579.adapter, modulekitCode('Safe7579', 'SAFE7579_BYTECODE'));
  const launchpad = modulekitCode('Safe7579', 'SAFE7579_LAUNCHPAD_BYTECODE');
  await placeCode({ devnet }, safe7579.launchpad, launchpad, entryPoint, noRegistry);
});

/** A Safe that its first operation sets up, with Rhinestone's adapter. */
export function openSafe7579(
  devnet: Devnet,
  { owners = [newOwner()], version = '1.4.1' }: Safe7579Options = {},
): Promise<SmartAccount> {
  return toSafeSmartAccount({
    client: chainClient(devnet),
    owners: [...owners],
    version,
    safe4337ModuleAddress: safe7579.adapter,
    erc7579LaunchpadAddress: safe7579.launchpad,
  });
}
type Safe7579Options = { readonly owners?: readonly LocalAccount[]; readonly version?: '1.4.1' | '1.5.0' };

const safe7579Row: MatrixAccount = {
  kind: 'Safe7579 1',
  version: '0.7',
  code: '`@rhinestone/modulekit`',
  open: async (devnet) => {
    await safe7579Contracts(devnet);
    return { account: await openSafe7579(devnet) };
  },
};

const biconomyContracts = once(deployBiconomyAccount);
const biconomy: MatrixAccount = {
  kind: 'Biconomy SmartAccount 2',
  version: '0.6',
  code: '`@biconomy/common`',
  open: async (devnet) => {
    const { implementation, factory, fallbackHandler, ecdsaModule } = await biconomyContracts(devnet);
    const account = await toBiconomySmartAccount({
      client: chainClient(devnet),
      owners: [newOwner()],
      entryPoint: { address: devnet.entryPoints['0.6'], version: '0.6' },
      factoryAddress: factory,
      accountLogicAddress: implementation,
      ecdsaModuleAddress: ecdsaModule,
      fallbackHandlerAddress: fallbackHandler,
    });
    return { account };
  },
};

/** Where Kernel 3.1 is on public chains. */
const kernel31 = {
  implementation: '0xBAC849bB641841b44E965fB01A4Bf5F074f84b4D',
  factory: '0xaac5D4240AF87249B3f71BC8E4A2cae074A3E419',
  validator: '0x845ADb2C711129d4f3966735eD98a9F09fC4cE57',
} as const;
export const kernelContracts = once(async (devnet) => {
  const { implementation, factory, validator } = kernel31;
  const entryPoint = pad(devnet.entryPoints['0.7']);
  const ecdsa = compileSolidity(`${import.meta.dirname}/contracts/EcdsaValidator.sol`).get('EcdsaValidator');
  await placeCode({ devnet }, implementation, modulekitCode('Kernel', 'KERNEL_BYTECODE'), entryPoint);
  await placeCode({ devnet }, factory, modulekitCode('Kernel', 'KERNEL_FACTORY_BYTECODE'), pad(implementation));
  await placeCode({ devnet }, validator, ecdsa?.creationBytecode ?? '0x');
});
const kernel: MatrixAccount = {
  kind: 'Kernel 3.1',
  version: '0.7',
  code: '`@rhinestone/modulekit`, with a validator of the test’s own',
  open: async (devnet) => {
    await kernelContracts(devnet);
    const account = await toKernelSmartAccount({
      client: chainClient(devnet),
      owners: [newOwner()],
      version: '0.3.1',
      entryPoint: { address: devnet.entryPoints['0.7'], version: '0.7' },
      factoryAddress: kernel31.factory,
      accountLogicAddress: kernel31.implementation,
      validatorAddress: kernel31.validator,
      useMetaFactory: false,
    });
    return { account };
  },
};

const metaMaskContracts = once(deployMetaMask);
const metaMask7702: MatrixAccount = {
  kind: 'MetaMask (EIP-7702)',
  version: '0.7',
  code: '`@metamask/smart-accounts-kit`',
  clientReadsCode: true,
  open: async (devnet) => {
    const environment = await metaMaskContracts(devnet);
    const delegate = environment.implementations.EIP7702StatelessDeleGatorImpl;
    if (delegate === undefined) throw new Error('The kit has deployed no account for EIP-7702.');
    const owner = newOwner();
    // The kit has no operation for it: its account has to be there before the first one.
    const delegation = await signDelegation(devnet, owner, delegate);
    const sent = { account: bundler, chain: devnet.client.chain, to: owner.address, authorizationList: [delegation] };
    const hash = await devnet.client.sendTransaction(sent);
    await devnet.client.waitForTransactionReceipt({ hash });
    const account = await toMetaMaskSmartAccount({
      client: chainClient(devnet),
      implementation: Implementation.Stateless7702,
      address: owner.address,
      signer: { account: owner },
      environment,
    });
    return { account };
  },
};

const modularFactory = once(deployModularFactory);
const unknown: MatrixAccount = {
  kind: 'an account of unknown code',
  version: '0.7',
  code: 'a contract of the tests',
  open: async (devnet) => ({ account: await newModularAccount(devnet, await modularFactory(devnet)) }),
};

/** Each kind with each EntryPoint that it has. */
export const matrixAccounts: readonly MatrixAccount[] = [
  simple('0.6'),
  biconomy,
  simple('0.7'),
  safe('1.4.1', safe141Contracts),
  safe('1.5.0', safe150Contracts),
  safe7579Row,
  kernel,
  metaMask7702,
  unknown,
  simple('0.8'),
  simple7702,
  simple('0.9'),
];
