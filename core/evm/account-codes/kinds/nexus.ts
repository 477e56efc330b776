import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
  size,
  slice,
  zeroAddress,
  zeroHash,
} from 'viem';
import { addressOf, implementationsOf } from '../find-in-catalogue.ts';
import { type AccountCodeKind, type KnownFactory, readExactly } from '../known-code.ts';

const name = 'Nexus 1';

const factoryAbi = parseAbi(['function createAccount(bytes initData, bytes32 salt)']);
const k1FactoryAbi = parseAbi([
  'function createAccount(address owner, uint256 index, address[] attesters, uint8 threshold)',
]);
const initDataParameters = parseAbiParameters('address bootstrap, bytes bootstrapData');
const singleValidatorAbi = parseAbi([
  'function initNexusWithSingleValidator(address validator, bytes data, address registry, address[] attesters, uint8 threshold)',
]);
const defaultValidatorAbi = parseAbi([
  'struct Module { address module; bytes data; }',
  'struct PreValidationHook { uint256 hookType; address module; bytes data; }',
  'function initNexusWithDefaultValidatorAndOtherModulesNoRegistry(bytes defaultValidatorData, Module[] validators, Module[] executors, Module hook, Module[] fallbacks, PreValidationHook[] preValidationHooks)',
]);
/** Each attester takes one more slot of the registry, which the sponsor pays for. */
const maxAttesters = 2;
/** The validators read an owner's address. Further addresses may follow, which the sponsor would pay for. */
const ownerBytes = 20;
const wordBytes = 32;

/** What a factory's bootstrap may install: one validator with one owner. Clients encode that in more than one way. */
type Plain = { readonly headWords: number; encodings(owner: Hex): readonly Hex[] };

/** The data of an absent hook, which the bootstrap does not read: empty, or a word as `@biconomy/abstractjs` writes it. */
const dataOfNoHook: readonly Hex[] = ['0x', zeroHash];

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
  nexusFactory(mee, nexusOf(version, mee), {
    headWords: 6,
    encodings: (owner) =>
      dataOfNoHook.map((data) =>
        encodeFunctionData({
          abi: defaultValidatorAbi,
          args: [owner, [], [], { module: zeroAddress, data }, [], []],
        }),
      ),
  }),
);

function nexusOf(version: string, mee: string): Address {
  return addressOf(name, `Nexus ${version} (MEE ${mee})`);
}

function nexusFactory(mee: string, implementation: Address, plain: Plain): KnownFactory {
  const bootstrap = addressOf(name, `NexusBootstrap (MEE ${mee})`);
  return {
    mark: { address: addressOf(name, `NexusAccountFactory (MEE ${mee})`) },
    readCreation: ({ callData }) => {
      const [initData = '0x'] = readExactly(factoryAbi, 'createAccount', callData) ?? [];
      const owner = ownerIn(initData, plain.headWords);
      if (owner === undefined) return undefined;
      // Encoding again drops any other content, so the comparison then fails.
      const isPlain = plain
        .encodings(owner)
        .some((data) => encodeAbiParameters(initDataParameters, [bootstrap, data]) === initData.toLowerCase());
      return isPlain ? { implementation } : undefined;
    },
  };
}

/**
 * The owner in the data of a bootstrap call with this many head words; the owner must be the first dynamic value after them.
 */
function ownerIn(initData: Hex, headWords: number): Hex | undefined {
  // Two words, the length of the call and its selector come before the head.
  const lengthAt = (3 + headWords) * wordBytes + 4;
  const ownerAt = lengthAt + wordBytes;
  if (size(initData) < ownerAt + wordBytes) return undefined;
  if (BigInt(slice(initData, lengthAt, ownerAt)) !== BigInt(ownerBytes)) return undefined;
  return slice(initData.toLowerCase() as Hex, ownerAt, ownerAt + ownerBytes);
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
