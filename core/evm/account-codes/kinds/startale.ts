import type { Address } from 'viem';
import { codeMarkOf, implementationsOf } from '../find-in-catalogue.ts';
import type { AccountCodeKind } from '../known-code.ts';
import { createsForOneOwner, defaultValidatorCalls } from '../plain-bootstrap.ts';

const name = 'Startale 1.0.0';

/** In the factory's code. */
const implementation: Address = '0x000000b8f5f723A680d3D7EE624Fe0bC84a6E05A';
/** In the code of the account and of the bootstrap. */
const validator: Address = '0x00000072F286204Bb934eD49D8969E86F7dEC7b1';

const bootstrap = {
  ...defaultValidatorCalls('initWithDefaultValidatorAndOtherModules'),
  address: '0x000000552A5fAe3Db7a8F3917C435448F49BA6a9' as Address,
};

/**
 * Startale's modular account, recognized only by code: its contracts have CREATE3 addresses, which do not depend on the code,
 * and their deployer takes code from anyone. So a creation also needs the published code of the bootstrap and of the default
 * validator. Validators and hooks chosen by the owner run alongside the calls.
 */
export const startale: AccountCodeKind = {
  name,
  decoders: [{ name: 'ERC7579', version: '1.0.0' }],
  implementations: implementationsOf(name),
  factories: [
    {
      mark: codeMarkOf(name, 'StartaleAccountFactory'),
      readCreation: ({ callData }) =>
        createsForOneOwner(callData, bootstrap)
          ? {
              implementation,
              runs: [
                { address: bootstrap.address, marks: [codeMarkOf(name, 'Bootstrap')] },
                { address: validator, marks: [codeMarkOf(name, 'ECDSAValidator')] },
              ],
            }
          : undefined,
    },
  ],
};
