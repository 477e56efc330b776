import { hexToBigInt, slice } from 'viem';
import type { Signer } from '../../evm/signer/signer.ts';
import type { SignerBackend } from './signer-backend.ts';

/** A key that is here, next to others that have it elsewhere. */
export function holdLocalKey(signer: Signer): SignerBackend {
  return {
    readAddresses: async () => [signer.address],
    sign: async (digest) => {
      const signature = await signer.signDigest(digest);
      return { r: hexToBigInt(slice(signature, 0, 32)), s: hexToBigInt(slice(signature, 32, 64)) };
    },
    close: () => undefined,
  };
}
