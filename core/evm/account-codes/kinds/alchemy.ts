import { concat, type Hex, parseAbi, size } from 'viem';
import { addressOf, implementationsOf, marksOf } from '../find-in-catalogue.ts';
import { type AccountCodeKind, dummySignature, readExactly } from '../known-code.ts';

const upgradeableModularAccount = addressOf('Modular Account 1', 'UpgradeableModularAccount');

/** Alchemy's Modular Account 1, at its CREATE2 address. Plugins chosen by the owner run alongside the calls. */
export const modularAccount1: AccountCodeKind = {
  name: 'Modular Account 1',
  decoders: [{ name: 'MODULAR_ACCOUNT', version: '1.0.0' }],
  implementations: implementationsOf('Modular Account 1'),
  factories: [
    {
      // Its factory installs only MultiOwnerPlugin, which its constructor fixes.
      mark: { address: addressOf('Modular Account 1', 'MultiOwnerModularAccountFactory') },
      readCreation: ({ callData }) =>
        createsForOwners(callData, 'function createAccount(uint256 salt, address[] owners)')
          ? { implementation: upgradeableModularAccount }
          : undefined,
    },
  ],
};

const semiModularAccountBytecode = addressOf('Modular Account 2', 'SemiModularAccountBytecode');
/** `createSemiModularAccount(address owner, uint256 salt)`: two words. */
const createSemiModularAccount = /^0x8b4e464e0{24}[0-9a-f]{104}$/i;

/**
 * Alchemy's Modular Account 2 at Alchemy's addresses: ModularAccount, and the semi-modular accounts with the owner in the
 * proxy's code, in storage, or by EIP-7702. Modules chosen by the owner run alongside the calls.
 */
export const modularAccount2: AccountCodeKind = {
  name: 'Modular Account 2',
  decoders: [{ name: 'MODULAR_ACCOUNT', version: '2.0.0' }],
  implementations: implementationsOf('Modular Account 2'),
  factories: [
    {
      mark: { address: addressOf('Modular Account 2', 'AccountFactory') },
      readCreation: ({ callData }) =>
        createSemiModularAccount.test(callData) ? { implementation: semiModularAccountBytecode } : undefined,
    },
  ],
  // End of the hook data, signature type, EOA signature type, signature.
  estimationSignature: concat(['0xff00', dummySignature]),
};

/** Most bytes of such a call: 32 owners. The sponsor would pay for more. */
const maxBytes = 4 + 32 * (3 + 32);

/** Whether this is exactly a call of `createAccount` with a list of owners and a salt, in this order of arguments. */
function createsForOwners(
  callData: Hex,
  signature:
    | 'function createAccount(address[] owners, uint256 salt)'
    | 'function createAccount(uint256 salt, address[] owners)',
): boolean {
  return size(callData) <= maxBytes && readExactly(parseAbi([signature]), 'createAccount', callData) !== undefined;
}

/** `createAccount(address owner, uint256 salt)`, and `createAccountSingle` with the same arguments: two words. */
const createAccount = /^0x5fbfb9cf0{24}[0-9a-f]{104}$/i;
const createAccountSingle = /^0x2796c3230{24}[0-9a-f]{104}$/i;
/** Prefixed with the signature type of an EOA. */
const typedSignature: Hex = concat(['0x00', dummySignature]);

type Version = {
  readonly name: string;
  readonly decoder: string;
  readonly creates: (callData: Hex) => boolean;
};

/** CREATE2 fixes the factory's address, and the factory deploys the implementation itself. */
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

export const lightAccount20: AccountCodeKind = {
  ...lightAccount({
    name: 'LightAccount 2.0',
    decoder: '2.0.0',
    creates: (callData) => createAccount.test(callData),
  }),
  estimationSignature: typedSignature,
};

/** Alchemy's LightAccount: single owner and multi-owner. */
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
