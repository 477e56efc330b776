import { encodeAbiParameters, type Hex, toFunctionSelector } from 'viem';
import { createCalldataWalker, NotUnderstoodError } from '../../account-decoders/calldata-walker.ts';
import { addressOf, implementationsOf } from '../find-in-catalogue.ts';
import { type AccountCodeKind, dummySignature } from '../known-code.ts';

const kind = 'Coinbase Smart Wallet 1';
const versions = ['1.0', '1.1'].map((version) => ({
  factory: addressOf(kind, `CoinbaseSmartWalletFactory ${version}`),
  implementation: addressOf(kind, `CoinbaseSmartWallet ${version}`),
}));

const createAccount = toFunctionSelector('function createAccount(bytes[] owners, uint256 nonce)');
/** An address as a word, or the coordinates of a public key. */
const ownerBytes: readonly number[] = [32, 64];
const maxOwners = 32;

/** Coinbase Smart Wallet 1. Its factories take owners and a nonce, and make no calls to them. */
export const coinbaseSmartWallet: AccountCodeKind = {
  name: kind,
  decoders: [{ name: 'COINBASE_SMART_WALLET', version: '1.0.0' }],
  implementations: implementationsOf(kind),
  factories: versions.map(({ factory, implementation }) => ({
    mark: { address: factory },
    readCreation: ({ callData }) => (createsOwners(callData) ? { implementation } : undefined),
  })),
  // The first owner's signature.
  estimationSignature: encodeAbiParameters(
    [{ type: 'tuple', components: [{ type: 'uint256' }, { type: 'bytes' }] }],
    [[0n, dummySignature]],
  ),
  // What viem sends for passkeys.
  clientGas: { leastVerification: 800_000n },
};

/**
 * `createAccount(bytes[] owners, uint256 nonce)` in canonical encoding, with owners that are addresses or public keys. The
 * sponsor would pay for any other bytes, and a bundling contract can create them at no cost.
 */
function createsOwners(callData: Hex): boolean {
  if (!callData.toLowerCase().startsWith(createAccount)) return false;
  const walker = createCalldataWalker(Buffer.from(callData.slice(createAccount.length), 'hex'));
  try {
    const owners = walker.offset();
    walker.uint();
    walker.reach(owners);
    const count = walker.count(maxOwners);
    const base = walker.position();
    const offsets = Array.from({ length: count }, () => walker.offset());
    for (const offset of offsets) {
      walker.reach(base + offset);
      if (!ownerBytes.includes(walker.bytes().length)) return false;
    }
    walker.end();
    return true;
  } catch (error) {
    if (error instanceof NotUnderstoodError) return false;
    throw error;
  }
}
