import { type Hex, size, slice } from 'viem';
import type { CustomError } from './custom-errors.ts';
import { type ArgumentText, decodeErrorArguments } from './decode-error-arguments.ts';

/** Most revert data that is decoded, in bytes: a selector and 32 words. A longer one is shown by name alone. */
export const maxRevertBytes = 4 + 32 * 32;
/** Most errors with one selector that are named. */
const maxCandidates = 4;
/** Longest text of a revert, in characters. */
const maxCharacters = 400;

/**
 * A custom error by name and arguments, `Refused(0x…, 5)`; `Refused(…)` where the arguments are not decodable. Errors of
 * different contracts that share the selector are all named, with `or` between them; one whose arguments fit leaves out
 * those whose do not. Nothing when no error has the selector.
 */
export function describeCustomError(data: Hex, errors: readonly CustomError[], text: ArgumentText): string | undefined {
  const selector = slice(data, 0, 4).toLowerCase();
  const candidates = new Map(errors.filter((error) => error.selector === selector).map((e) => [e.signature, e]));
  const some = [...candidates.values()].slice(0, maxCandidates);
  if (some.length === 0) return undefined;
  const decoded = size(data) > maxRevertBytes ? [] : some.flatMap((error) => describe(error, data, text) ?? []);
  const named = decoded.length > 0 ? decoded : some.map(({ name }) => `${name}(…)`);
  return shorten([...new Set(named)].join(' or '));
}

function describe({ name, inputs }: CustomError, data: Hex, text: ArgumentText): string | undefined {
  if (inputs === undefined) return undefined;
  const encoded = size(data) > 4 ? slice(data, 4) : '0x';
  const values = decodeErrorArguments(inputs, encoded, text);
  return values && `${name}(${values.join(', ')})`;
}

function shorten(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text;
}
