import type { Argument, ArgumentType } from '../evm/abi/argument-type.ts';
import type { CallRules } from '../policies/call-rules/call-rules.ts';
import type { CalledLimits } from '../policies/called-limits/called-limits.ts';

/** Of a policy and its conditions, for each character of its text. */
const bytesOfCharacter = 8;
/** Of a parameter of a method that has rules, next to its name. */
const bytesOfParameter = 100;
/** Of a selector in the sets and tables by which calls are counted. */
const bytesOfSelector = 100;
/** Of a contract or method that is named, and of a policy without anything. */
const bytesOfEntry = 1_000;

/** About what a policy takes in memory with its rules and limits, rather too much than too little. */
export function policyBytes(read: {
  readonly text: string | undefined;
  readonly shown: object;
  readonly callRules: CallRules;
  readonly calledLimits: CalledLimits;
}): number {
  let bytes = bytesOfEntry + bytesOfCharacter * (read.text?.length ?? 0) + 2 * JSON.stringify(read.shown).length;
  for (const { methods } of read.callRules.values()) {
    for (const { signature, parameters } of methods.values()) {
      bytes += bytesOfEntry + 2 * signature.length + bytesOfParameters(parameters);
    }
  }
  const sets = [...read.calledLimits.values()].flatMap(({ known, selectors }) => [
    known,
    ...(selectors ? [selectors] : []),
  ]);
  for (const selectors of new Set(sets)) bytes += bytesOfEntry + bytesOfSelector * selectors.size;
  return bytes;
}

function bytesOfParameters(parameters: readonly Argument[]): number {
  return parameters.reduce((sum, { name, type }) => sum + bytesOfParameter + 2 * name.length + bytesOfInner(type), 0);
}

/** Types of one word are shared by all parameters. */
function bytesOfInner(type: ArgumentType): number {
  if (type.kind === 'tuple') return bytesOfParameters(type.components);
  return type.kind === 'array' ? bytesOfParameter + bytesOfInner(type.element) : 0;
}
