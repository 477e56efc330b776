import { concat, type Hex } from 'viem';
import { dummySignature } from '../estimation-signature.ts';
import { addressOf, implementationsOf, marksOf } from '../find-in-catalogue.ts';
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
  readonly creates: (callData: Hex) => boolean;
};

/** CREATE2 puts the factory at its address, and the factory makes the implementation itself. */
function lightAccount({ name, decoder, creates }: Version): AccountCodeKind {
  const implementation = addressOf(name, name.slice(0, name.indexOf(' ')));
  return {
    name,
    decoders: [{ name: 'LIGHT_ACCOUNT', version: decoder }],
    implementations: implementationsOf(name),
    factories: marksOf(name, 'factory').map((mark) => ({
      mark,
      readCreation: ({ callData }) => (creates(callData) ? { implementation } : undefined),
    })),
  };
}

/** LightAccount 2.0. */
export const lightAccount20: AccountCodeKind = {
  ...lightAccount({
    name: 'LightAccount 2.0',
    decoder: '2.0.0',
    creates: (callData) => createAccount.test(callData),
  }),
  estimationSignature: typedSignature,
};

/** Alchemy's LightAccount: of one owner, and of several. */
export const lightAccounts: readonly AccountCodeKind[] = [
  lightAccount({
    name: 'LightAccount 1.1',
    decoder: '1.1.0',
    creates: (callData) => createAccount.test(callData),
  }),
  lightAccount20,
  {
    ...lightAccount({
      name: 'MultiOwnerLightAccount 2.0',
      decoder: '2.0.0',
      creates: (callData) =>
        createAccountSingle.test(callData) ||
        createsForOwners(callData, 'function createAccount(address[] owners, uint256 salt)'),
    }),
    estimationSignature: typedSignature,
  },
];
