import { type Address, concat } from 'viem';
import { dummySignature } from '../estimation-signature.ts';
import type { AccountCodeKind } from '../known-code.ts';
import { createsForOwners } from './owners-list.ts';

const upgradeableModularAccount: Address = '0x0046000000000151008789797b54fdb500E2a61e';

/** Alchemy's Modular Account 1, where CREATE2 puts it. Plugins of the owner's choice run next to the calls. */
export const modularAccount1: AccountCodeKind = {
  name: 'Modular Account 1',
  decoders: [{ name: 'MODULAR_ACCOUNT', version: '1.0.0' }],
  runsModules: true,
  hook: { unseen: true },
  implementations: [{ address: upgradeableModularAccount }],
  factories: [
    {
      // Its factory installs MultiOwnerPlugin, which is fixed by its constructor, and nothing else.
      mark: { address: '0x000000e92D78D90000007F0082006FDA09BD5f11' },
      readCreation: ({ callData }) =>
        createsForOwners(callData, 'function createAccount(uint256 salt, address[] owners)')
          ? { implementation: upgradeableModularAccount }
          : undefined,
    },
  ],
};

const semiModularAccountBytecode: Address = '0x000000000000c5A9089039570Dd36455b5C07383';
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
  hook: { unseen: true },
  implementations: [
    { address: '0x00000000000002377B26b1EdA7b0BC371C60DD4f' },
    { address: semiModularAccountBytecode },
    { address: '0x0000000000006E2f9d80CaEc0Da6500f005EB25A' },
    { address: '0x69007702764179f14F51cdce752f4f775d74E139' },
  ],
  factories: [
    {
      mark: { address: '0x00000000000017c61b5bEe81050EC8eFc9c6fecd' },
      readCreation: ({ callData }) =>
        createSemiModularAccount.test(callData) ? { implementation: semiModularAccountBytecode } : undefined,
    },
  ],
  // The end of the hooks' data, the type of the signature, that of an EOA, and the signature.
  estimationSignature: concat(['0xff00', dummySignature]),
};
