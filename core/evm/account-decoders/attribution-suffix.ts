import * as Attribution from 'ox/erc8021/Attribution';
import { type Hex, size } from 'viem';

/** What ends an attribution suffix (ERC-8021). */
const marker = Buffer.from(Attribution.ercSuffix.slice(2), 'hex');
/** Longest suffix that is accepted, in bytes: several codes, or the metadata of a wallet and an app. */
export const maxAttributionBytes = 200;
/** What registries use in codes. Codes are keys of usage, also in CSV files, so they hold no punctuation that means something there. */
const codePattern = /^\w[\w.:/-]*$/;

/** A suffix that attributes an operation to apps and wallets: its size, and the codes it names, at least one. */
export type AttributionSuffix = { readonly bytes: number; readonly codes: readonly string[] };

/**
 * The one ERC-8021 suffix at the end of these bytes: codes of the canonical registry (schema 0) or of another one (schema 1), or a
 * map in CBOR (schema 2). Only the bytes that an encoder writes for the same content count, so no suffix hides other bytes.
 */
export function readAttributionSuffix(bytes: Buffer): AttributionSuffix | undefined {
  if (!bytes.subarray(-marker.length).equals(marker)) return undefined;
  const tail: Hex = `0x${bytes.subarray(-maxAttributionBytes).toString('hex')}`;
  const attribution = parse(tail);
  if (attribution === undefined || !tail.endsWith(attribution.suffix.slice(2))) return undefined;
  const { codes, suffix } = attribution;
  const isNamed = codes.length > 0 && codes.every((code) => codePattern.test(code));
  return isNamed ? { bytes: size(suffix), codes } : undefined;
}

/** Whether bytes are exactly one attribution suffix, from the first to the last. */
export function isAttributionSuffix(bytes: Buffer): boolean {
  return readAttributionSuffix(bytes)?.bytes === bytes.length;
}

/** The codes that ox reads, and the suffix that it writes for the same content. */
function parse(tail: Hex): { readonly codes: readonly string[]; readonly suffix: Hex } | undefined {
  try {
    const read = Attribution.fromData(tail);
    if (read === undefined) return undefined;
    const named = read.codes ?? [read.appCode, read.walletCode, ...(read.serviceCodes ?? [])];
    return { codes: named.filter((code) => code !== undefined), suffix: Attribution.toDataSuffix(read) };
  } catch {
    // ox throws errors of several kinds for bytes that are no suffix, and a TypeError for CBOR that is no map.
    return undefined;
  }
}
