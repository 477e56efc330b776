import type { MissingCode } from '../../node/account-codes/seen-account.ts';
import type { AccountKind } from '../permit/decode-inner-calls.ts';

const lists = ['factories', 'proxies', 'implementations'] as const;

/**
 * What the operator can paste into a chain's configuration to make code known, as JSON of its `accounts`. Proxies name no account:
 * what they delegate to does.
 */
export function configurationEntry(missing: readonly MissingCode[], account: AccountKind | undefined): string {
  const { name = 'NAME', version = 'VERSION' } = account ?? {};
  const entries = lists.flatMap((list) => {
    const hashes = new Set(missing.filter((code) => code.list === list).map(({ codeHash }) => codeHash));
    const listed = [...hashes].map((codeHash) => (list === 'proxies' ? { codeHash } : { name, version, codeHash }));
    return listed.length === 0 ? [] : [[list, listed]];
  });
  return JSON.stringify(Object.fromEntries(entries));
}
