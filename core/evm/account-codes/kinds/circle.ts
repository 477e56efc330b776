import { encodeAbiParameters, type Hex, parseAbi, parseAbiParameters, size, slice } from 'viem';
import { addressOf, implementationsOf } from '../find-in-catalogue.ts';
import type { AccountCodeKind, ReadCreation } from '../known-code.ts';
import { readExactly } from '../read-exactly.ts';

const name = 'Circle MSCA 1';

const factoryAbi = parseAbi(['function createAccount(bytes32 sender, bytes32 salt, bytes initializingData)']);
const pluginsParameters = parseAbiParameters('address[] plugins, bytes32[] manifestHashes, bytes[] installData');
const wordBytes = 32;
/** Where the hash of the manifest of one plugin is: behind three offsets, the list of one plugin and the length of its own. */
const manifestAt = 6 * wordBytes;
/** Where the length of the data is that one plugin is installed with. */
const lengthAt = 9 * wordBytes;
/** Most of that data, in bytes: three passkeys with their weights. More would be paid for. */
const maxInstallData = 1_024;

/** One plugin: the published one for passkeys and owners with weights. It writes them down, and calls no one. */
const readCreation: ReadCreation = ({ callData }) => {
  const [, , data = '0x'] = readExactly(factoryAbi, 'createAccount', callData) ?? [];
  return installsOnlyOwners(data) ? { implementation: addressOf(name, 'UpgradableMSCA') } : undefined;
};

/** The data is made again of what it says of one plugin, and compared. */
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

/** Circle's modular wallet on ERC-6900. Plugins of the owner's choice run next to the calls. */
export const circleMsca: AccountCodeKind = {
  name,
  decoders: [{ name: 'CIRCLE', version: '1.0.0' }],
  runsModules: true,
  firstModulesAreIn: 'creation',
  implementations: implementationsOf(name),
  factories: [{ mark: { address: addressOf(name, 'UpgradableMSCAFactory') }, readCreation }],
};
