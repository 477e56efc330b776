import { concat } from 'viem';
import { dummySignature } from '../estimation-signature.ts';
import { addressOf, implementationsOf } from '../find-in-catalogue.ts';
import type { AccountCodeKind } from '../known-code.ts';
import { createsForOwners } from './owners-list.ts';

const upgradeableModularAccount = addressOf('Modular Account 1', 'UpgradeableModularAccount');

/** Alchemy's Modular Account 1, where CREATE2 puts it. Plugins of the owner's choice run next to the calls. */
export const modularAccount1: AccountCodeKind = {
  name: 'Modular Account 1',
  decoders: [{ name: 'MODULAR_ACCOUNT', version: '1.0.0' }],
  runsModules: true,
  firstModulesAreIn: 'creation',
  implementations: implementationsOf('Modular Account 1'),
  factories: [
    {
      // Its factory installs MultiOwnerPlugin, which is fixed by its constructor, and nothing else.
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
 * Alchemy's Modular Account 2 at the addresses of its maker: ModularAccount, and the semi-modular ones with the owner in the proxy's
 * code, in storage, or by EIP-7702. Modules of the owner's choice run next to the calls.
 */
export const modularAccount2: AccountCodeKind = {
  name: 'Modular Account 2',
  decoders: [{ name: 'MODULAR_ACCOUNT', version: '2.0.0' }],
  runsModules: true,
  implementations: implementationsOf('Modular Account 2'),
  factories: [
    {
      mark: { address: addressOf('Modular Account 2', 'AccountFactory') },
      readCreation: ({ callData }) =>
        createSemiModularAccount.test(callData) ? { implementation: semiModularAccountBytecode } : undefined,
    },
  ],
  // The end of the hooks' data, the type of the signature, that of an EOA, and the signature.
  estimationSignature: concat(['0xff00', dummySignature]),
};
