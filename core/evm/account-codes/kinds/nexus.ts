import { type Address, encodeFunctionData, parseAbi, zeroAddress } from 'viem';
import { addressOf, implementationsOf } from '../find-in-catalogue.ts';
import { type AccountCodeKind, type KnownFactory, readExactly } from '../known-code.ts';
import { createsForOneOwner, defaultValidatorCalls, type PlainBootstrap } from '../plain-bootstrap.ts';

const name = 'Nexus 1';

const k1FactoryAbi = parseAbi([
  'function createAccount(address owner, uint256 index, address[] attesters, uint8 threshold)',
]);
const singleValidatorAbi = parseAbi([
  'function initNexusWithSingleValidator(address validator, bytes data, address registry, address[] attesters, uint8 threshold)',
]);
/** Each attester takes one more slot of the registry, which the sponsor pays for. */
const maxAttesters = 2;

/** Versions of Nexus whose factory installs one validator and no registry. */
const withSingleValidator = ['1.0.0', '1.1.0'].map((mee) =>
  nexusFactory(mee, nexusOf('1.0.2', mee), {
    headWords: 5,
    encodings: (owner) => [
      encodeFunctionData({
        abi: singleValidatorAbi,
        args: [addressOf(name, `K1MeeValidator (MEE ${mee})`), owner, zeroAddress, [], 0],
      }),
    ],
  }),
);

/** Versions that have a validator by default, and install no other module. */
const withDefaultValidator = (
  [
    ['2.0.0', '1.2.0'],
    ['2.1.0', '1.2.0'],
    ['2.2.1', '1.3.1'],
  ] as const
).map(([mee, version]) =>
  nexusFactory(
    mee,
    nexusOf(version, mee),
    defaultValidatorCalls('initNexusWithDefaultValidatorAndOtherModulesNoRegistry'),
  ),
);

function nexusOf(version: string, mee: string): Address {
  return addressOf(name, `Nexus ${version} (MEE ${mee})`);
}

function nexusFactory(mee: string, implementation: Address, calls: Omit<PlainBootstrap, 'address'>): KnownFactory {
  const bootstrap = { ...calls, address: addressOf(name, `NexusBootstrap (MEE ${mee})`) };
  return {
    mark: { address: addressOf(name, `NexusAccountFactory (MEE ${mee})`) },
    readCreation: ({ callData }) => (createsForOneOwner(callData, bootstrap) ? { implementation } : undefined),
  };
}

const k1ValidatorFactory: KnownFactory = {
  mark: { address: addressOf(name, 'K1ValidatorFactory (1.0.0)') },
  readCreation: ({ callData }) => {
    const [, , attesters] = readExactly(k1FactoryAbi, 'createAccount', callData) ?? [];
    const isPlain = attesters !== undefined && attesters.length <= maxAttesters;
    return isPlain ? { implementation: addressOf(name, 'Nexus 1.0.0') } : undefined;
  },
};

/**
 * Nexus at its CREATE2 addresses; proxies and EOAs (EIP-7702) delegate to it. Validators and hooks chosen by the owner run
 * alongside the calls. Its factories call the contract that their data names, which must be the published bootstrap
 * installing the published validator for one owner.
 */
export const nexus: AccountCodeKind = {
  name,
  decoders: [
    { name: 'NEXUS', version: '1.0.0' },
    { name: 'BICONOMY', version: '2.0.0' },
  ],
  implementations: implementationsOf(name),
  factories: [...withSingleValidator, ...withDefaultValidator, k1ValidatorFactory],
};
