import { deflateRawSync } from 'node:zlib';
import { bytesToHex, type Hex, hexToBytes, parseGwei, serializeTransaction, size } from 'viem';
import { encodeForPublishing, noise } from '../simulation/encode-handle-ops.ts';
import type { SimulatedOperation } from '../simulation/estimation-context.ts';

/** Placeholders for unknown fields of the bundler's transaction, as long as real values. */
const bundlerNonce = 0xb7d3e9;
const bundlerGas = 0x5ad3e9n;
const bundlerFee = parseGwei('0.123456789');

/** The bundler's transaction for only this operation, as input of data fee formulas. */
export function unsignedBundle(chainId: number, simulated: SimulatedOperation): Hex {
  return serializeTransaction(bundleOf(chainId, simulated));
}

/**
 * The signed transaction, compressed: for chains that charge by compressed size. They use their own compressors (zstd,
 * LZSS); DEFLATE comes close. Unknown fields are noise, which no compressor shortens.
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
