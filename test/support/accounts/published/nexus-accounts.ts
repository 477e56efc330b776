import { getMEEVersion, MEEVersion, toNexusAccount } from '@biconomy/abstractjs';
import { toNexusSmartAccount } from 'permissionless/accounts';
import { http } from 'viem';
import { chainClient } from '../../service/client-lab.ts';
import { newOwner, type PublishedAccount } from './published-account.ts';

export const nexus100: PublishedAccount = {
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

export const nexusOfMee = (
  [
    ['Nexus 1.0.2 (MEE 1.0.0)', MEEVersion.V1_0_0],
    ['Nexus 1.2.0 (MEE 2.0.0)', MEEVersion.V2_0_0],
  ] as const
).map(([kind, mee]): PublishedAccount => {
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
