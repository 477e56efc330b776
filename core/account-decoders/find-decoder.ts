import { biconomy100, biconomy200 } from './biconomy.ts';
import type { AccountDecoder } from './decoder.ts';
import { infinitism100 } from './infinitism.ts';

const decoders: readonly AccountDecoder[] = [biconomy200, biconomy100, infinitism100];

/** Other spellings that are in use: published documentation of this interface leaves out a letter. */
const otherNames: ReadonlyMap<string, string> = new Map([['INFINITSM', 'INFINITISM']]);

/** The decoder for `smartAccountInfo`, names and versions as on the wire (case matters), or `undefined`. */
export function findAccountDecoder(name: string, version: string): AccountDecoder | undefined {
  const knownName = otherNames.get(name) ?? name;
  return decoders.find((decoder) => decoder.name === knownName && decoder.version === version);
}
