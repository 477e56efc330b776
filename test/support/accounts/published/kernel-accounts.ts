import { to7702KernelSmartAccount, toKernelSmartAccount } from 'permissionless/accounts';
import type { Address } from 'viem';
import { signDelegation } from '../../chain/eip7702-lab.ts';
import { chainClient } from '../../service/client-lab.ts';
import { mappingSlot } from './copy-published-code.ts';
import { entryPointOf, newOwner, type PublishedAccount } from './published-account.ts';

const kernelFactory: Address = '0x5de4839a76cf55d0c90e2061ef4386d962E15ae3';
const kernelStaker: Address = '0xd703aaE79538628d27099B8c4f621bE4CCd142d5';
export const kernels2 = (
  [
    ['2.2', '0x0DA6a956B9488eD4dd761E59f52FDc6c8068E6B5'],
    ['2.3', '0xD3F582F6B4814E989Ee8E96bc3175320B5A540ab'],
    ['2.4', '0xd3082872F8B06073A021b4602e022d5A070d7cfC'],
  ] as const
).map(
  ([version, implementation]): PublishedAccount => ({
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

export const kernels3 = (
  [
    ['3.0', '0.3.0-beta', '0x6723b44Abeec4E71eBE3232BD5B455805baDD22f'],
    ['3.1', '0.3.1', '0xaac5D4240AF87249B3f71BC8E4A2cae074A3E419'],
    ['3.2', '0.3.2', '0x7a1dBAB750f12a90EB1B60D2Ae3aD17D4D81EfFe'],
    ['3.3', '0.3.3', '0x2577507b78c2008Ff367261CB6285d44ba5eF2E9'],
  ] as const
).map(
  ([named, version, factory]): PublishedAccount => ({
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

export const kernel7702: PublishedAccount = {
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
