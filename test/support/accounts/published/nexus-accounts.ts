import { getMEEVersion, MEEVersion, toNexusAccount } from '@biconomy/abstractjs';
import { toNexusSmartAccount } from 'permissionless/accounts';
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  http,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
  zeroHash,
} from 'viem';
import { sendInOrder } from '../../../../server/dev/devnet/devnet-client.ts';
import { dummySignature } from '../../../../server/dev/user-operation/dev-user-operation.ts';
import { bundler } from '../../chain/chain-lab.ts';
import { chainClient } from '../../service/client-lab.ts';
import { encodeErc7579Calls, handBuiltAccount } from './hand-built-account.ts';
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

const rhinestone = {
  implementation: '0x000000000032dDC454C3BDcba80484Ad5A798705',
  factory: '0x0000000000679A258c64d2F20F310e12B64b7375',
  bootstrap: '0x00000000006eFb61D8c9546FF1B500de3f244EA7',
  ownableValidator: '0x000000000013fdB5234E4E3162a810F54d9f7E98',
} as const;
const nexusAbi = parseAbi([
  'function createAccount(bytes initData, bytes32 salt)',
  'struct Module { address module; bytes data; }',
  'struct PreValidationHook { uint256 hookType; address module; bytes data; }',
  'function initNexusWithDefaultValidatorAndOtherModulesNoRegistry(bytes defaultValidatorData, Module[] validators, Module[] executors, Module hook, Module[] fallbacks, PreValidationHook[] preValidationHooks)',
]);

/** A creation by the factory, with the default validator for one owner and no other module. */
function createdByRhinestone(owner: Address) {
  const ofOwner = encodeAbiParameters(parseAbiParameters('uint256, address[]'), [1n, [owner]]);
  const bootstrapData = encodeFunctionData({
    abi: nexusAbi,
    functionName: 'initNexusWithDefaultValidatorAndOtherModulesNoRegistry',
    args: [ofOwner, [], [], { module: zeroAddress, data: '0x' }, [], []],
  });
  const initData = encodeAbiParameters(parseAbiParameters('address, bytes'), [rhinestone.bootstrap, bootstrapData]);
  const args = [initData, zeroHash] as const;
  return {
    factory: rhinestone.factory,
    factoryData: encodeFunctionData({ abi: nexusAbi, functionName: 'createAccount', args }),
  };
}

/** Its factory is not known, so the account is there before its first operation. */
export const nexusOfRhinestone: PublishedAccount = {
  kind: 'Nexus 1.2.0 (Rhinestone)',
  version: '0.7',
  contracts: { kinds: [], others: Object.values(rhinestone) },
  open: async (devnet) => {
    const owner = newOwner();
    const creation = createdByRhinestone(owner.address);
    await sendInOrder(devnet.client, bundler, [
      { description: 'an account', to: creation.factory, data: creation.factoryData },
    ]);
    const account = await handBuiltAccount({
      devnet,
      version: '0.7',
      owner,
      creation,
      stubSignature: dummySignature,
      encodeCalls: encodeErc7579Calls,
      sign: ({ hash }) => owner.signMessage({ message: { raw: hash } }),
    });
    return { account };
  },
};
