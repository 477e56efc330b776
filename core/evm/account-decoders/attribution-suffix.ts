import * as Attribution from 'ox/erc8021/Attribution';
import { type Hex, size } from 'viem';

/** The marker at the end of an attribution suffix (ERC-8021). */
const marker = Buffer.from(Attribution.ercSuffix.slice(2), 'hex');
/** Longest suffix that is accepted, in bytes: several codes, or the metadata of a wallet and an app. */
export const maxAttributionBytes = 200;
/**
 * Characters that registries use in codes. Codes become usage keys and CSV cells, so punctuation with a meaning there is
 * excluded.
 */
const codePattern = /^\w[\w.:/-]*$/;

/** A suffix that attributes an operation to apps and wallets: its size, and its codes, at least one. */
export type AttributionSuffix = { readonly bytes: number; readonly codes: readonly string[] };

/**
 * The ERC-8021 suffix at the end of these bytes: codes of the canonical registry (schema 0) or of another one (schema 1), or
 * a CBOR map (schema 2). Only the canonical encoding of the content is accepted, so a suffix cannot hide other bytes.
 */
export function readAttributionSuffix(bytes: Buffer): AttributionSuffix | undefined {
  if (!bytes.subarray(-marker.length).equals(marker)) return undefined;
  const tail: Hex = `0x${bytes.subarray(-maxAttributionBytes).toString('hex')}`;
  const attribution = parse(tail);
  if (attribution === undefined || !tail.endsWith(attribution.suffix.slice(2))) return undefined;
  const { codes, suffix } = attribution;
  return codes.length > 0 && codes.every(isCode) ? { bytes: size(suffix), codes } : undefined;
}

/** ox reads any CBOR as a code, such as a number, which a pattern would take for its digits. */
function isCode(code: unknown): boolean {
  return typeof code === 'string' && codePattern.test(code);
}

/** Whether the bytes are exactly one attribution suffix. */
export function isAttributionSuffix(bytes: Buffer): boolean {
  return readAttributionSuffix(bytes)?.bytes === bytes.length;
}

/** The codes that ox reads, and the suffix that ox writes for the same content. */
function parse(tail: Hex): { readonly codes: readonly string[]; readonly suffix: Hex } | undefined {
  try {
    const read = Attribution.fromData(tail);
    if (read === undefined) return undefined;
    const named = read.codes ?? [read.appCode, read.walletCode, ...(read.serviceCodes ?? [])];
    return { codes: named.filter((code) => code !== undefined), suffix: Attribution.toDataSuffix(read) };
  } catch {
    // ox throws various errors for bytes that are not a suffix, and a TypeError for CBOR that is not a map.
    return undefined;
  }
}
