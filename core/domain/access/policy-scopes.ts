import { isDeepStrictEqual } from 'node:util';
import type { Policy, PolicyTokens } from '../policy.ts';
import { type Scope, scopes } from './scope.ts';

/**
 * The scope that changing each field of a policy requires: `funds` if the field determines who receives money, else
 * `manage`. A rule on what is sponsored only spends from the tank and pays no one. The type requires a scope for every new
 * field.
 */
export const policyScopes = {
  sponsorAllCalls: 'manage',
  allowAccountDeployment: 'manage',
  allowRevertingOperations: 'manage',
  accounts: 'manage',
  relay: 'manage',
  maxCostWei: 'manage',
  maxCostUsdMicros: 'manage',
  maxFeePerGas: 'manage',
  maxGasPerOperation: 'manage',
  maxPreVerificationGas: 'manage',
  allowedSenders: 'manage',
  blockedSenders: 'manage',
  requireTicket: 'manage',
  tokens: { enabled: 'manage', allowed: 'manage', treasury: 'funds' },
  thenPayInToken: 'manage',
  userPaysPercent: 'manage',
  maxValiditySeconds: 'manage',
  notBefore: 'manage',
  notAfter: 'manage',
  pauses: 'manage',
  limits: 'manage',
  ignoreForeignPolicyIds: 'manage',
  callRules: 'manage',
} as const satisfies {
  readonly [Field in keyof Policy]-?: Field extends 'tokens' ? Readonly<Record<keyof PolicyTokens, Scope>> : Scope;
};

/** The scopes required to replace one policy by another. */
export function scopesOfPolicyChange(before: Policy, after: Policy): readonly Scope[] {
  const needed = scopesOfChange(policyScopes, before, after);
  return scopes.filter((scope) => needed.has(scope));
}

type ScopesOfFields = { readonly [field: string]: Scope | ScopesOfFields };
type Fields = Readonly<Record<string, unknown>>;

function scopesOfChange(table: ScopesOfFields, before: Fields, after: Fields): ReadonlySet<Scope> {
  const needed = new Set<Scope>();
  for (const [field, scope] of Object.entries(table)) {
    const [was, is] = [before[field], after[field]];
    if (isDeepStrictEqual(was, is)) continue;
    if (typeof scope === 'string') needed.add(scope);
    else for (const one of scopesOfChange(scope, (was ?? {}) as Fields, (is ?? {}) as Fields)) needed.add(one);
  }
  return needed;
}
