import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
  size,
  slice,
  zeroAddress,
} from 'viem';
import { addressOf, implementationsOf } from '../find-in-catalogue.ts';
import { type AccountCodeKind, addressInWord, type ReadCreation, readExactly } from '../known-code.ts';

const name = 'Etherspot 1';

const factoryAbi = parseAbi(['function createAccount(bytes32 salt, bytes initCode)']);
const initCodeParameters = parseAbiParameters('address owner, address bootstrap, bytes bootstrapData');
const bootstrapAbi = parseAbi([
  'struct Module { address module; bytes data; }',
  'function initMSA(Module[] validators, Module[] executors, Module hook, Module[] fallbacks)',
]);
/** Its clients encode the data of every module, even of absent ones, as a call of `onInstall(bytes)` without data. */
const noData = encodeFunctionData({ abi: parseAbi(['function onInstall(bytes data)']), args: ['0x'] });
const none = { module: zeroAddress, data: noData };
const validator = { module: addressOf(name, 'MultipleOwnerECDSAValidator'), data: noData };
const bootstrapData = encodeFunctionData({ abi: bootstrapAbi, args: [[validator], [none], none, [none]] });

/** Accepts an owner, and the published bootstrap that installs only the published validator. */
const readCreation: ReadCreation = ({ callData }) => {
  const [, initCode = '0x'] = readExactly(factoryAbi, 'createAccount', callData) ?? [];
  const owner = size(initCode) < 32 ? undefined : addressInWord(slice(initCode, 0, 32));
  const isPlain = owner !== undefined && initCodeOf(owner) === initCode.toLowerCase();
  return isPlain ? { implementation: addressOf(name, 'ModularEtherspotWallet') } : undefined;
};

function initCodeOf(owner: Hex): Hex {
  return encodeAbiParameters(initCodeParameters, [owner, addressOf(name, 'Bootstrap'), bootstrapData]);
}

/** Etherspot's modular wallet. Validators and hooks chosen by the owner run alongside the calls. */
export const etherspot: AccountCodeKind = {
  name,
  decoders: [{ name: 'ERC7579', version: '1.0.0' }],
  implementations: implementationsOf(name),
  factories: [{ mark: { address: addressOf(name, 'ModularEtherspotWalletFactory') }, readCreation }],
};
