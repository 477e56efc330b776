import { type Address, concat, type Hex } from 'viem';
import { dummySignature } from '../estimation-signature.ts';
import type { AccountCodeKind } from '../known-code.ts';
import { createsForOwners } from './owners-list.ts';

/** `createAccount(address owner, uint256 salt)`, and `createAccountSingle` with the same arguments: two words. */
const createAccount = /^0x5fbfb9cf0{24}[0-9a-f]{104}$/i;
const createAccountSingle = /^0x2796c3230{24}[0-9a-f]{104}$/i;
/** The type of the signature, that of an EOA, before it. */
const typedSignature: Hex = concat(['0x00', dummySignature]);

type Version = {
  readonly name: string;
  readonly decoder: string;
  /** CREATE2 puts the factory here, and the factory makes the implementation itself. */
  readonly factory: Address;
  readonly implementation: Address;
  readonly creates: (callData: Hex) => boolean;
};

function lightAccount({ name, decoder, factory, implementation, creates }: Version): AccountCodeKind {
  return {
    name,
    decoders: [{ name: 'LIGHT_ACCOUNT', version: decoder }],
    implementations: [{ address: implementation }],
    factories: [
      {
        mark: { address: factory },
        readCreation: ({ callData }) => (creates(callData) ? { implementation } : undefined),
      },
    ],
  };
}

/** LightAccount 2.0. */
export const lightAccount20: AccountCodeKind = {
  ...lightAccount({
    name: 'LightAccount 2.0',
    decoder: '2.0.0',
    factory: '0x0000000000400CdFef5E2714E63d8040b700BC24',
    implementation: '0x8E8e658E22B12ada97B402fF0b044D6A325013C7',
    creates: (callData) => createAccount.test(callData),
  }),
  estimationSignature: typedSignature,
};

/** Alchemy's LightAccount: of one owner, and of several. */
export const lightAccounts: readonly AccountCodeKind[] = [
  lightAccount({
    name: 'LightAccount 1.1',
    decoder: '1.1.0',
    factory: '0x00004EC70002a32400f8ae005A26081065620D20',
    implementation: '0xae8c656ad28F2B59a196AB61815C16A0AE1c3cba',
    creates: (callData) => createAccount.test(callData),
  }),
  lightAccount20,
  {
    ...lightAccount({
      name: 'MultiOwnerLightAccount 2.0',
      decoder: '2.0.0',
      factory: '0x000000000019d2Ee9F2729A65AfE20bb0020AefC',
      implementation: '0xd2c27F9eE8E4355f71915ffD5568cB3433b6823D',
      creates: (callData) =>
        createAccountSingle.test(callData) ||
        createsForOwners(callData, 'function createAccount(address[] owners, uint256 salt)'),
    }),
    estimationSignature: typedSignature,
  },
];
