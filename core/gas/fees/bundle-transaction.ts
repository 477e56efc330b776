import { deflateRawSync } from 'node:zlib';
import { bytesToHex, type Hex, hexToBytes, parseGwei, serializeTransaction, size } from 'viem';
import { encodeForPublishing, noise } from '../simulation/encode-handle-ops.ts';
import type { SimulatedOperation } from '../simulation/estimation-context.ts';

/** Stand-ins for the fields of the bundler's transaction that are not known: as long as real ones. */
const bundlerNonce = 0xb7d3e9;
const bundlerGas = 0x5ad3e9n;
const bundlerFee = parseGwei('0.123456789');

/** The bundler's transaction for this one operation, as data fees are computed from it. */
export function unsignedBundle(chainId: number, simulated: SimulatedOperation): Hex {
  return serializeTransaction(bundleOf(chainId, simulated));
}

/**
 * The signed transaction, compressed: for chains that charge for what compression leaves of it. They use compressors of their
 * own (zstd, LZSS); DEFLATE comes near, and what is not known of the transaction is noise, which none makes shorter.
 */
export function compressedBundle(chainId: number, simulated: SimulatedOperation): Hex {
  const [r, s] = [noise(32), noise(64).replace(/^0x.{64}/, '0x') as Hex];
  const signed = serializeTransaction(bundleOf(chainId, simulated), { r, s, yParity: 1 });
  const compressed = bytesToHex(deflateRawSync(hexToBytes(signed), { level: 9 }));
  return size(compressed) < size(signed) ? compressed : signed;
}

function bundleOf(chainId: number, simulated: SimulatedOperation) {
  return {
    type: 'eip1559',
    chainId,
    nonce: bundlerNonce,
    gas: bundlerGas,
    maxFeePerGas: bundlerFee,
    maxPriorityFeePerGas: bundlerFee,
    to: simulated.entryPoint,
    data: encodeForPublishing(simulated),
  } as const;
}
