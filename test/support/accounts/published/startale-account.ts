import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
  zeroHash,
} from 'viem';
import { dummySignature } from '../../../../server/dev/user-operation/dev-user-operation.ts';
import { encodeErc7579Calls, handBuiltAccount } from './hand-built-account.ts';
import { newOwner, type PublishedAccount } from './published-account.ts';

const contracts = {
  implementation: '0x000000b8f5f723A680d3D7EE624Fe0bC84a6E05A',
  factory: '0x0000003B3E7b530b4f981aE80d9350392Defef90',
  bootstrap: '0x000000552A5fAe3Db7a8F3917C435448F49BA6a9',
  validator: '0x00000072F286204Bb934eD49D8969E86F7dEC7b1',
} as const;

const abi = parseAbi([
  'function createAccount(bytes initData, bytes32 salt)',
  'struct Module { address module; bytes data; }',
  'struct PreValidationHook { uint256 hookType; address module; bytes data; }',
  'function initWithDefaultValidatorAndOtherModules(bytes defaultValidatorData, Module[] validators, Module[] executors, Module hook, Module[] fallbacks, PreValidationHook[] preValidationHooks)',
]);

/** What may differ in a creation from the one that `@startale-scs/aa-sdk` makes for an owner without modules. */
type Over = {
  readonly bootstrap?: Address;
  readonly ownerData?: Hex;
  readonly executors?: readonly Address[];
  readonly hook?: { readonly module: Address; readonly data: Hex };
};

/** A creation by the factory of Startale's accounts, version 1.0.0. */
export function createdByStartale(owner: Address, over: Over = {}) {
  const {
    bootstrap = contracts.bootstrap,
    ownerData = owner,
    executors = [],
    hook = { module: zeroAddress, data: zeroHash },
  } = over;
  const bootstrapData = encodeFunctionData({
    abi,
    functionName: 'initWithDefaultValidatorAndOtherModules',
    args: [ownerData, [], executors.map((module) => ({ module, data: '0x' as const })), hook, [], []],
  });
  const initData = encodeAbiParameters(parseAbiParameters('address, bytes'), [bootstrap, bootstrapData]);
  return {
    factory: contracts.factory,
    factoryData: encodeFunctionData({ abi, functionName: 'createAccount', args: [initData, zeroHash] }),
  };
}

export const startale: PublishedAccount = {
  kind: 'Startale 1.0.0',
  version: '0.7',
  contracts: { kinds: [], others: Object.values(contracts) },
  open: async (devnet) => {
    const owner = newOwner();
    const account = await handBuiltAccount({
      devnet,
      version: '0.7',
      owner,
      creation: createdByStartale(owner.address),
      stubSignature: dummySignature,
      encodeCalls: encodeErc7579Calls,
      sign: ({ hash }) => owner.signMessage({ message: { raw: hash } }),
    });
    return { account };
  },
};
