import { scopes as allScopes, type Scope } from '../../domain/access/scope.ts';
import type { Core } from '../../domain/core.ts';
import type { Result } from '../../domain/result/result.ts';

type Marked = Pick<
  Core,
  'authenticate' | 'authenticateSession' | 'readSession' | 'signInWithWallet' | 'signInWithAuthToken' | 'switchAccount'
>;

type Known = { readonly accountId: string; readonly scopes?: readonly Scope[]; readonly operator?: true };

/**
 * The same operations, with answers that say whether the caller operates the service: it has all scopes of one of these
 * accounts. Viewers and managers of such an account do not, nor does an authToken with fewer scopes.
 */
export function markOperators<Parts extends Marked>(parts: Parts, operators: readonly string[] = []): Parts {
  function mark<T extends Known>(known: T): T {
    const { accountId, scopes = [] } = known;
    const isOperator = operators.includes(accountId) && allScopes.every((scope) => scopes.includes(scope));
    return isOperator ? { ...known, operator: true } : known;
  }
  const markValue = <T extends Known>(result: Result<T>): Result<T> =>
    result.ok ? { ok: true, value: mark(result.value) } : result;
  const markSession = <T extends { readonly identity: Known }>(result: Result<T>): Result<T> =>
    result.ok ? { ok: true, value: { ...result.value, identity: mark(result.value.identity) } } : result;

  return {
    ...parts,
    authenticate: async (input) => markValue(await parts.authenticate(input)),
    authenticateSession: async (input) => markValue(await parts.authenticateSession(input)),
    readSession: async (input) => markValue(await parts.readSession(input)),
    signInWithWallet: async (input) => markSession(await parts.signInWithWallet(input)),
    signInWithAuthToken: async (input) => markSession(await parts.signInWithAuthToken(input)),
    switchAccount: async (input) => markSession(await parts.switchAccount(input)),
  } satisfies Marked & Parts;
}
