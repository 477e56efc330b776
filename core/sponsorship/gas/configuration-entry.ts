import type { UserOperation } from '../../domain/user-operation.ts';
import type { AccountDecoder, CallForm, ReadCalls } from '../../evm/account-decoders/decoder.ts';
import { accountDecoders, isSameReading } from '../../evm/account-decoders/find-decoder.ts';
import { type MissingCode, namesAccount, type UnknownCode } from '../../node/account-codes/seen-account.ts';
import type { AccountKind } from '../permit/decode-calls.ts';

const lists = ['factories', 'helpers', 'proxies', 'implementations'] as const;

/** An operation of an account whose code is not known, and the calls that were read from it. */
type UnknownAccount = {
  readonly operation: Pick<UserOperation, 'callData' | 'entryPointVersion'>;
  readonly decided: ReadCalls;
  /** The account kind that the caller names. */
  readonly named?: AccountKind | undefined;
};

/**
 * JSON of `accounts` for a chain's configuration that would make the code known. Code that makes calls gets the name of the
 * accounts with the same methods, or `NAME` and `VERSION` for the operator to replace if several differ.
 */
export function configurationEntry(
  { missing = [], kindBehind }: Pick<UnknownCode, 'missing' | 'kindBehind'>,
  account: UnknownAccount,
): string {
  const { name = 'NAME', version = 'VERSION' } = kindBehind?.decoders[0] ?? findAccount(missing, account) ?? {};
  const entries = lists.flatMap((list) => {
    const hashes = new Set(missing.filter((code) => code.list === list).map(({ codeHash }) => codeHash));
    const listed = [...hashes].map((codeHash) => (namesAccount(list) ? { name, version, codeHash } : { codeHash }));
    return listed.length === 0 ? [] : [[list, listed]];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

/**
 * The accounts that read the operation's calls as they were decided on, and have the most methods of which the code has
 * all. One operation says too little: several kinds share one method and differ in another. Undefined if that leaves accounts
 * that differ.
 */
function findAccount(
  missing: readonly MissingCode[],
  { operation: { callData, entryPointVersion }, decided, named }: UnknownAccount,
): AccountKind | undefined {
  const formsOf = ({ forms }: AccountDecoder) => forms[entryPointVersion] ?? [];
  const readers = accountDecoders.filter((decoder) => {
    // An operation that only creates its account makes no calls.
    if (callData === '0x') return formsOf(decoder).length > 0;
    const own = decoder.decode(callData, entryPointVersion);
    return own.understood && isSameReading(own, decided);
  });
  const codes = missing.flatMap(({ list, code }) => (list === 'implementations' ? [code.toLowerCase()] : []));
  const fitting = readers.filter((decoder) => formsOf(decoder).every((form) => codes.some((code) => has(code, form))));
  const most = Math.max(...fitting.map((decoder) => formsOf(decoder).length));
  const found = fitting.length === 0 ? readers : fitting.filter((decoder) => formsOf(decoder).length === most);
  const [first, ...others] = found;
  if (first === undefined || !others.every((other) => isSameForms(formsOf(first), formsOf(other)))) return undefined;
  return found.find(({ name, version }) => name === named?.name && version === named.version) ?? first;
}

/** Whether code compares a call's selector with that of the method: by PUSH4, or by a shorter PUSH without leading zeros. */
function has(code: string, { selector }: CallForm): boolean {
  const digits = selector.slice(2).toLowerCase();
  const short = digits.replace(/^(00)+/, '');
  const push = (0x5f + short.length / 2).toString(16);
  return code.includes(`63${digits}`) || code.includes(`${push}${short}`);
}

/** Whether both have the same methods, read in the same way. */
function isSameForms(one: readonly CallForm[], other: readonly CallForm[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ selector, read }) => other.some((form) => form.selector === selector && form.read === read))
  );
}
