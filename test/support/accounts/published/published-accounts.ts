import { getMEEVersion, MEEVersion, toNexusAccount } from '@biconomy/abstractjs';
import {
  to7702KernelSmartAccount,
  toEtherspotSmartAccount,
  toKernelSmartAccount,
  toLightSmartAccount,
  toNexusSmartAccount,
  toThirdwebSmartAccount,
} from 'permissionless/accounts';
import { type Address, http } from 'viem';
import { toCoinbaseSmartAccount } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import type { EntryPointVersion } from '../../../../core/domain/entry-point-version.ts';
import type { Devnet } from '../../../../server/dev/devnet/devnet.ts';
import { signDelegation } from '../../chain/eip7702-lab.ts';
import { chainClient } from '../../service/client-lab.ts';
import { freshKey } from '../../service/running-service.ts';
import { type MatrixAccount, type OpenedAccount, openSafe7579 } from '../matrix-accounts.ts';
import { modularAccount1, modularAccount2, modularAccount7702, multiOwnerLightAccount } from './alchemy-accounts.ts';
import { ambireAccount } from './ambire-account.ts';
import { caliburAccount } from './calibur-account.ts';
import { circleAccount } from './circle-account.ts';
import { copyPublishedCode, mappingSlot, type PublishedContracts } from './copy-published-code.ts';

type Row = {
  readonly kind: string;
  readonly version: EntryPointVersion;
  readonly contracts: PublishedContracts;
  open(devnet: Devnet): Promise<OpenedAccount>;
};

const newOwner = () => privateKeyToAccount(freshKey());
const entryPointOf = <const version extends '0.6' | '0.7'>({ entryPoints }: Devnet, version: version) => ({
  address: entryPoints[version],
  version,
});

const kernelFactory: Address = '0x5de4839a76cf55d0c90e2061ef4386d962E15ae3';
const kernelStaker: Address = '0xd703aaE79538628d27099B8c4f621bE4CCd142d5';
const kernels2 = (
  [
    ['2.2', '0x0DA6a956B9488eD4dd761E59f52FDc6c8068E6B5'],
    ['2.3', '0xD3F582F6B4814E989Ee8E96bc3175320B5A540ab'],
    ['2.4', '0xd3082872F8B06073A021b4602e022d5A070d7cfC'],
  ] as const
).map(
  ([version, implementation]): Row => ({
    kind: `Kernel ${version}`,
    version: '0.6',
    // The factory makes accounts of the implementations that its owner allows.
    contracts: {
      kinds: [`Kernel ${version}`],
      words: [{ address: kernelFactory, slot: mappingSlot(implementation, 1n) }],
    },
    open: async (devnet) => ({
      account: await toKernelSmartAccount({
        client: chainClient(devnet),
        owners: [newOwner()],
        version: `0.${version}`,
        entryPoint: entryPointOf(devnet, '0.6'),
      }),
    }),
  }),
);

const kernels3 = (
  [
    ['3.0', '0.3.0-beta', '0x6723b44Abeec4E71eBE3232BD5B455805baDD22f'],
    ['3.1', '0.3.1', '0xaac5D4240AF87249B3f71BC8E4A2cae074A3E419'],
    ['3.2', '0.3.2', '0x7a1dBAB750f12a90EB1B60D2Ae3aD17D4D81EfFe'],
    ['3.3', '0.3.3', '0x2577507b78c2008Ff367261CB6285d44ba5eF2E9'],
  ] as const
).map(
  ([named, version, factory]): Row => ({
    kind: `Kernel ${named}`,
    version: '0.7',
    contracts: { kinds: [`Kernel ${named}`], words: [{ address: kernelStaker, slot: mappingSlot(factory) }] },
    open: async (devnet) => ({
      account: await toKernelSmartAccount({
        client: chainClient(devnet),
        owners: [newOwner()],
        version,
        entryPoint: entryPointOf(devnet, '0.7'),
      }),
    }),
  }),
);

const kernel7702: Row = {
  kind: 'Kernel 3.3 (EIP-7702)',
  version: '0.7',
  contracts: { kinds: ['Kernel 3.3'] },
  open: async (devnet) => {
    const owner = newOwner();
    const account = await to7702KernelSmartAccount({
      client: chainClient(devnet),
      owner,
      version: '0.3.3',
      entryPoint: entryPointOf(devnet, '0.7'),
    });
    const delegate = '0xd6CEDDe84be40893d153Be9d467CD6aD37875b28';
    return { account, authorize: () => signDelegation(devnet, owner, delegate) };
  },
};

const lightAccounts = (
  [
    ['1.1', '0.6'],
    ['2.0', '0.7'],
  ] as const
).map(
  ([named, entryPoint]): Row => ({
    kind: `LightAccount ${named}`,
    version: entryPoint,
    contracts: { kinds: [`LightAccount ${named}`] },
    open: async (devnet) => {
      const owner = newOwner();
      const client = chainClient(devnet);
      const account =
        entryPoint === '0.6'
          ? await toLightSmartAccount({ client, owner, version: '1.1.0', entryPoint: entryPointOf(devnet, '0.6') })
          : await toLightSmartAccount({ client, owner, version: '2.0.0', entryPoint: entryPointOf(devnet, '0.7') });
      return { account };
    },
  }),
);

const coinbase = (['1', '1.1'] as const).map(
  (version): Row => ({
    kind: `Coinbase Smart Wallet ${version === '1' ? '1.0' : version}`,
    version: '0.6',
    contracts: {
      kinds: [],
      others:
        version === '1'
          ? ['0x000100abaad02f1cfC8Bbe32bD5a564817339E72', '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a']
          : ['0x00000110dCdEdC9581cb5eCB8467282f2926534d', '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842'],
    },
    open: async (devnet) => ({
      account: await toCoinbaseSmartAccount({ client: chainClient(devnet), owners: [newOwner()], version }),
    }),
  }),
);

const nexus100: Row = {
  kind: 'Nexus 1.0.0',
  version: '0.7',
  contracts: {
    kinds: [],
    others: [
      '0x000000039dfcAd030719B07296710F045F0558f7',
      '0x00000bb19a3579F4D779215dEf97AFbd0e30DB55',
      '0x00000004171351c442B202678c48D8AB5B321E8f',
      '0x00000008c901d8871b6F6942De0B5D9cCf3873d3',
      '0x6c77ddf87a1717465d29f8f16f44711eb0c839c0',
      '0x000000000069E2a187AEFFb852bF3cCdC95151B2',
    ],
  },
  open: async (devnet) => ({
    account: await toNexusSmartAccount({
      client: chainClient(devnet),
      owners: [newOwner()],
      version: '1.0.0',
      attesters: [],
      threshold: 0,
    }),
  }),
};

const nexusOfMee = (
  [
    ['Nexus 1.0.2 (MEE 1.0.0)', MEEVersion.V1_0_0],
    ['Nexus 1.2.0 (MEE 2.0.0)', MEEVersion.V2_0_0],
  ] as const
).map(([kind, mee]): Row => {
  const version = getMEEVersion(mee);
  return {
    kind,
    version: '0.7',
    contracts: {
      kinds: [],
      others: [
        version.factoryAddress,
        version.bootStrapAddress,
        version.implementationAddress,
        version.validatorAddress,
      ],
    },
    open: async (devnet) => {
      const { chain } = devnet.client;
      const chainConfiguration = { chain, transport: http(devnet.rpcUrl), version, versionCheck: false };
      return { account: await toNexusAccount({ signer: newOwner(), chainConfiguration }) };
    },
  };
});

const thirdweb = (['0.6', '0.7'] as const).map(
  (version): Row => ({
    kind: 'thirdweb',
    version,
    contracts: { kinds: [`thirdweb ${version}`] },
    open: async (devnet) => ({
      account: await toThirdwebSmartAccount({
        client: chainClient(devnet),
        owner: newOwner(),
        entryPoint: entryPointOf(devnet, version),
      }),
    }),
  }),
);

const etherspot: Row = {
  kind: 'Etherspot 1',
  version: '0.7',
  contracts: { kinds: ['Etherspot 1'] },
  open: async (devnet) => ({
    account: await toEtherspotSmartAccount({
      client: chainClient(devnet),
      owners: [newOwner()],
      entryPoint: entryPointOf(devnet, '0.7'),
    }),
  }),
};

const circlePlugin: Address = '0x0000000C984AFf541D6cE86Bb697e68ec57873C8';
const circleFactory: Address = '0x0000000DF7E6c9Dc387cAFc5eCBfa6c3a6179AdD';

const rows: readonly Row[] = [
  ...kernels2,
  ...lightAccounts,
  ...coinbase,
  {
    kind: 'Modular Account 1',
    version: '0.6',
    contracts: { kinds: ['Modular Account 1'], others: ['0xcE0000007B008F50d762D155002600004cD6c647'] },
    open: async (devnet) => ({ account: await modularAccount1(devnet, newOwner()) }),
  },
  ...thirdweb,
  ...kernels3,
  kernel7702,
  etherspot,
  {
    kind: 'Safe7579 1',
    version: '0.7',
    contracts: {
      kinds: ['Safe7579 1', 'Safe 1.4.1'],
      others: ['0x9641d764fc13c8B624c04430C7356C1C7C8102e2', '0x000000000069E2a187AEFFb852bF3cCdC95151B2'],
    },
    open: async (devnet) => ({ account: await openSafe7579(devnet) }),
  },
  nexus100,
  ...nexusOfMee,
  {
    kind: 'MultiOwnerLightAccount 2.0',
    version: '0.7',
    contracts: { kinds: ['MultiOwnerLightAccount 2.0'] },
    open: async (devnet) => ({ account: await multiOwnerLightAccount(devnet, newOwner()) }),
  },
  {
    kind: 'Modular Account 2',
    version: '0.7',
    contracts: { kinds: ['Modular Account 2'] },
    open: async (devnet) => ({ account: await modularAccount2(devnet, newOwner()) }),
  },
  {
    kind: 'Modular Account 2 (EIP-7702)',
    version: '0.7',
    contracts: { kinds: ['Modular Account 2'] },
    open: (devnet) => modularAccount7702(devnet, newOwner()),
  },
  {
    kind: 'Circle MSCA 1',
    version: '0.7',
    contracts: {
      kinds: ['Circle MSCA 1'],
      others: ['0x00000005e69188224e4dEeF607801916DC0936d5'],
      words: [{ address: circleFactory, slot: mappingSlot(circlePlugin, 2n) }],
    },
    open: async (devnet) => ({ account: await circleAccount(devnet, newOwner()) }),
  },
  {
    kind: 'Ambire (EIP-7702)',
    version: '0.7',
    contracts: { kinds: ['Ambire'] },
    open: (devnet) => ambireAccount(devnet, newOwner()),
  },
  {
    kind: 'Calibur 1 (EIP-7702)',
    version: '0.8',
    contracts: { kinds: ['Calibur 1'] },
    open: (devnet) => caliburAccount(devnet, newOwner()),
  },
];

/** Kinds of account whose published code no npm package has: it is copied from a node of a public chain. */
export function publishedAccounts(nodeUrl: string): readonly MatrixAccount[] {
  return rows.map(({ contracts, open, ...row }) => ({
    ...row,
    code: 'a public chain',
    open: async (devnet) => {
      await copyPublishedCode(devnet, nodeUrl, contracts);
      return open(devnet);
    },
  }));
}
