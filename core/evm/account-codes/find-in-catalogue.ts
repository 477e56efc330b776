import type { Address } from 'viem';
import { type CodeRole, catalogue, type KnownCode } from './catalogue.ts';
import type { CodeMark } from './known-code.ts';

/** All rows of a kind that has an entry. */
function codesOf(kind: string): readonly KnownCode[] {
  const entry = catalogue.find((one) => one.kind === kind);
  if (entry === undefined) throw new Error(`The catalogue has no ${kind}.`);
  return entry.codes;
}

/** The marks of a kind's contracts with one of these roles. */
export function marksOf(kind: string, ...roles: readonly CodeRole[]): readonly CodeMark[] {
  return codesOf(kind).flatMap(({ role, mark }) => (roles.includes(role) ? [mark] : []));
}

/** Contracts that run as an account of the kind. */
export function implementationsOf(kind: string): readonly CodeMark[] {
  return marksOf(kind, 'implementation', 'delegate');
}

export function addressOf(kind: string, contract: string): Address {
  const found = codesOf(kind).find((code) => code.contract === contract && 'address' in code.mark);
  if (found === undefined || !('address' in found.mark))
    throw new Error(`The catalogue has no ${contract} of ${kind}.`);
  return found.mark.address;
}

export function codeMarkOf(kind: string, contract: string): Extract<CodeMark, { codeHash: unknown }> {
  const found = codesOf(kind).find((code) => code.contract === contract && 'codeHash' in code.mark);
  if (found === undefined || !('codeHash' in found.mark)) {
    throw new Error(`The catalogue has no code of ${contract} of ${kind}.`);
  }
  return found.mark;
}
