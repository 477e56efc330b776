import { encodeAbiParameters, type Hex, parseAbi, parseAbiParameters, size, slice } from 'viem';
import { addressOf, implementationsOf } from '../find-in-catalogue.ts';
import { type AccountCodeKind, type ReadCreation, readExactly } from '../known-code.ts';

const name = 'Circle MSCA 1';

const factoryAbi = parseAbi(['function createAccount(bytes32 sender, bytes32 salt, bytes initializingData)']);
const pluginsParameters = parseAbiParameters('address[] plugins, bytes32[] manifestHashes, bytes[] installData');
const wordBytes = 32;
/** Offset of the plugin's manifest hash: after three offsets, the list of one plugin and the length of the hash list. */
const manifestAt = 6 * wordBytes;
/** Offset of the length of the plugin's install data. */
const lengthAt = 9 * wordBytes;
/** Most install data, in bytes: three passkeys with their weights. The sponsor would pay for more. */
const maxInstallData = 1_024;

/** Accepts one plugin: the published one for weighted passkeys and owners, which stores them and makes no calls. */
const readCreation: ReadCreation = ({ callData }) => {
  const [, , data = '0x'] = readExactly(factoryAbi, 'createAccount', callData) ?? [];
  return installsOnlyOwners(data) ? { implementation: addressOf(name, 'UpgradableMSCA') } : undefined;
};

/** Encodes the data again from the one plugin it names, and compares. */
function installsOnlyOwners(data: Hex): boolean {
  if (size(data) < lengthAt + wordBytes) return false;
  const length = BigInt(slice(data, lengthAt, lengthAt + wordBytes));
  const start = lengthAt + wordBytes;
  if (length === 0n || length > BigInt(maxInstallData) || length > BigInt(size(data) - start)) return false;
  const plain = encodeAbiParameters(pluginsParameters, [
    [addressOf(name, 'WeightedWebauthnMultisigPlugin')],
    [slice(data, manifestAt, manifestAt + wordBytes)],
    [slice(data, start, start + Number(length))],
  ]);
  return plain === data.toLowerCase();
}

/** Circle's modular wallet on ERC-6900. Plugins chosen by the owner run alongside the calls. */
export const circleMsca: AccountCodeKind = {
  name,
  decoders: [{ name: 'CIRCLE', version: '1.0.0' }],
  implementations: implementationsOf(name),
  factories: [{ mark: { address: addressOf(name, 'UpgradableMSCAFactory') }, readCreation }],
};
