import { size } from 'viem';
import { parseAddress } from '../../base/values/parse-address.ts';
import type { CallCondition } from '../../domain/policy.ts';
import type { ValueType } from '../../evm/abi/argument-type.ts';
import type { ArgumentValue } from '../../evm/abi/read-call-arguments.ts';

/** Represents the account that makes the call, where an argument is an address. */
const msgSender = 'msg.sender';

/** A value to compare an argument with; `msg.sender` until the caller is known. */
type Compared = bigint | boolean | string;

/** The test of one value, with the sender in lower case; `allowed` describes it for people. */
type ValueTest = {
  readonly allowed: string;
  isFulfilled(value: ArgumentValue, sender: string): boolean;
};

/** What is wrong with a condition: the second half of a sentence about one of its fields. */
type ConditionProblem = { readonly field: string; readonly requirement: string };

const words = { is: '', isNot: 'not ', atLeast: 'at least ', atMost: 'at most ', in: 'one of ' } as const;

/** Parses the values of a condition by the type of its argument. */
export function readCondition(condition: CallCondition, type: ValueType): ValueTest | ConditionProblem {
  const { operator, texts } = operandsOf(condition);
  if ((operator === 'atLeast' || operator === 'atMost') && type.kind !== 'uint' && type.kind !== 'int') {
    return {
      field: operator,
      requirement: `compares numbers, but the argument is ${nameOf(type)}: use is, isNot or in`,
    };
  }
  const values: Compared[] = [];
  for (const [index, text] of texts.entries()) {
    const value = readValue(text, type);
    if (value === undefined) {
      return { field: operator === 'in' ? `in[${index}]` : operator, requirement: `must be ${formOf(type)}` };
    }
    values.push(value);
  }
  const allowed = `${words[operator]}${texts.map((text) => (type.kind === 'string' ? JSON.stringify(text) : text)).join(', ')}`;
  return { allowed, isFulfilled: testOf(operator, values, type) };
}

/** The schema guarantees exactly one of them. */
function operandsOf({ is, isNot, atLeast, atMost, in: list }: CallCondition) {
  if (is !== undefined) return { operator: 'is', texts: [is] } as const;
  if (isNot !== undefined) return { operator: 'isNot', texts: [isNot] } as const;
  if (atLeast !== undefined) return { operator: 'atLeast', texts: [atLeast] } as const;
  if (atMost !== undefined) return { operator: 'atMost', texts: [atMost] } as const;
  return { operator: 'in', texts: list ?? [] } as const;
}

function testOf(operator: keyof typeof words, values: readonly Compared[], type: ValueType): ValueTest['isFulfilled'] {
  const [first] = values;
  if (operator === 'atLeast' || operator === 'atMost') {
    return (value) =>
      typeof value === 'bigint' &&
      typeof first === 'bigint' &&
      (operator === 'atLeast' ? value >= first : value <= first);
  }
  const known = new Set<ArgumentValue>(values);
  const isSenderKnown = type.kind === 'address' && known.delete(msgSender);
  const isOneOf = (value: ArgumentValue, sender: string) => known.has(value) || (isSenderKnown && value === sender);
  return operator === 'isNot' ? (value, sender) => !isOneOf(value, sender) : isOneOf;
}

const numberForm = /^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/;
const bytesForm = /^0x([0-9a-fA-F]{2})*$/;

function readValue(text: string, type: ValueType): Compared | undefined {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return readNumber(text, type);
    case 'address':
      return text === msgSender ? msgSender : readAddress(text);
    case 'bool':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'fixedBytes':
      return bytesForm.test(text) && size(text as `0x${string}`) === type.size ? text.toLowerCase() : undefined;
    case 'bytes':
      return bytesForm.test(text) ? text.toLowerCase() : undefined;
    case 'string':
      return /\p{Cs}/u.test(text) ? undefined : text;
  }
}

function readNumber(text: string, { kind, bits }: Extract<ValueType, { kind: 'uint' | 'int' }>): bigint | undefined {
  if (!numberForm.test(text)) return undefined;
  const value = BigInt(text);
  return (kind === 'uint' ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value)) === value ? value : undefined;
}

/** Accepts the zero address, which is a valid value here. */
function readAddress(text: string): string | undefined {
  return /^0x0{40}$/.test(text) ? text : parseAddress(text)?.toLowerCase();
}

function formOf(type: ValueType): string {
  switch (type.kind) {
    case 'uint':
      return `a whole number of ${nameOf(type)}, decimal or 0x, from 0 to 2^${type.bits} - 1`;
    case 'int':
      return `a whole number of ${nameOf(type)}, decimal or 0x, from -2^${type.bits - 1} to 2^${type.bits - 1} - 1`;
    case 'address':
      return `a valid address or ${msgSender}`;
    case 'bool':
      return 'true or false';
    case 'fixedBytes':
      return `0x and ${2 * type.size} hex digits`;
    case 'bytes':
      return '0x and pairs of hex digits';
    case 'string':
      return 'text of whole characters';
  }
}

function nameOf(type: ValueType): string {
  if (type.kind === 'fixedBytes') return `bytes${type.size}`;
  return type.kind === 'uint' || type.kind === 'int' ? `${type.kind}${type.bits}` : type.kind;
}
