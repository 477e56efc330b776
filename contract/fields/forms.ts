import { z } from 'zod';
import { usdDecimals } from '../limits.ts';
import type { Fields, Form } from './form.ts';
import { ofScalar, withForm } from './form.ts';

/** Checksummed. */
export const address = ofScalar(z.string(), 'address');

/** `0x` and hex digits. */
export const hex = ofScalar(z.string(), 'hex');

export const seconds = ofScalar(z.int(), 'seconds').describe('Unix seconds.');

export const chainId = ofScalar(z.int(), 'chainId');

/** A whole number of more than 32 bits. */
export const count = ofScalar(z.int(), 'count');

/** A whole number of more than 32 bits with a sign: what was rolled back can exceed what was posted. */
export const signedCount = ofScalar(z.int(), 'signedCount');

/** Whole numbers as decimal text, bigint in the core. */
export const decimalForm: Form<string, bigint, 'amount'> = { read: BigInt, write: String, scalar: 'amount' };

/** Wei, or another whole number of up to 256 bits. */
export const wei = withForm(z.string().regex(/^(0|[1-9]\d*)$/), decimalForm);

/** Wei that may be negative. */
export const signedWei = withForm(z.string().regex(/^(0|-?[1-9]\d*)$/), { ...decimalForm, scalar: 'signedAmount' });

/** USD as decimal text, millionths of a USD in the core. */
export const usdForm: Form<string, bigint, 'amount', 'Micros'> = {
  read: readUsd,
  write: usdText,
  scalar: 'amount',
  suffix: 'Micros',
};

/** Millionths of a USD of decimal text with at most {@link usdDecimals} decimals. */
export function readUsd(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(usdDecimals, '0'));
}

/** Millionths of a USD as decimal text, exact, with at least two decimals: `0.50`. */
export function usdText(micros: bigint): string {
  if (micros < 0n) return `-${usdText(-micros)}`;
  const digits = micros.toString().padStart(usdDecimals + 1, '0');
  const fraction = digits.slice(-usdDecimals).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -usdDecimals)}.${fraction}`;
}

/** An enum value in upper case; lower case in the core. */
export const upperCaseForm: Form<string, string> = {
  read: (text) => text.toLowerCase(),
  write: (text) => text.toUpperCase(),
};

/** An enum value with a different name in the core. */
export function namedForm(names: Readonly<Record<string, string | number>>): Form<string, string | number> {
  const inCore = new Map(Object.entries(names));
  const inInterface = new Map(Object.entries(names).map(([name, value]) => [value, name]));
  return { read: (name) => inCore.get(name) ?? name, write: (value) => inInterface.get(value) ?? value };
}

/** A JSON object; JSON text in the core. */
export const jsonForm: Form<object, string, 'text', 'Json'> = {
  read: JSON.stringify,
  write: JSON.parse,
  scalar: 'text',
  suffix: 'Json',
};

/** A created object, with its record's fields merged in. */
export const withRecord = { write: ({ record, ...created }: Fields) => ({ ...record, ...created }) };
