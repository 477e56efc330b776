import {
  toBiconomySmartAccount,
  toEtherspotSmartAccount,
  toLightSmartAccount,
  toThirdwebSmartAccount,
} from 'permissionless/accounts';
import { type Address, getContractAddress } from 'viem';
import { toCoinbaseSmartAccount } from 'viem/account-abstraction';
import { chainClient } from '../../service/client-lab.ts';
import { type MatrixAccount, openSafe7579 } from '../matrix-accounts.ts';
import { modularAccount1, modularAccount2, modularAccount7702, multiOwnerLightAccount } from './alchemy-accounts.ts';
import { ambireAccount } from './ambire-account.ts';
import { caliburAccount } from './calibur-account.ts';
import { circleAccount } from './circle-account.ts';
import { copyPublishedCode, mappingSlot } from './copy-published-code.ts';
import { kernel7702, kernels2, kernels3 } from './kernel-accounts.ts';
import { metaMaskAccounts } from './metamask-accounts.ts';
import { nexus100, nexusOfMee, nexusOfRhinestone } from './nexus-accounts.ts';
import { entryPointOf, newOwner, type PublishedAccount } from './published-account.ts';
import { startale } from './startale-account.ts';

const lightAccounts = (
  [
    ['1.1', '0.6'],
    ['2.0', '0.7'],
  ] as const
).map(
  ([named, entryPoint]): PublishedAccount => ({
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
  (version): PublishedAccount => ({
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

const thirdweb = (['0.6', '0.7'] as const).map(
  (version): PublishedAccount => ({
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

const etherspot: PublishedAccount = {
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

const biconomy: PublishedAccount = {
  kind: 'Biconomy SmartAccount 2',
  version: '0.6',
  contracts: {
    kinds: [],
    others: [
      '0x0000002512019Dafb59528B82CB92D3c5D2423ac',
      '0x000000a56Aaca3e9a4C479ea6b6CD0DbcB6634F5',
      '0x0bBa6d96BD616BedC6BFaa341742FD43c60b83C1',
      '0x0000001c5b32F37F5beA87BDD5374eB2aC54eA8e',
    ],
  },
  open: async (devnet) => ({
    account: await toBiconomySmartAccount({
      client: chainClient(devnet),
      owners: [newOwner()],
      entryPoint: entryPointOf(devnet, '0.6'),
    }),
  }),
};

const rows: readonly PublishedAccount[] = [
  biconomy,
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
      kinds: ['Safe7579 1'],
      others: [
        // Safe and its factory, and what the adapter creates to make batches.
        '0x41675C099F32341bf84BFc5382aF534df5C7461a',
        '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
        getContractAddress({ from: '0x7579EE8307284F293B1927136486880611F20002', nonce: 1n }),
      ],
    },
    open: async (devnet) => ({ account: await openSafe7579(devnet) }),
  },
  nexus100,
  ...nexusOfMee,
  nexusOfRhinestone,
  startale,
  ...metaMaskAccounts,
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
