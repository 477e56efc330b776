import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { Action, Ask, Drafted, Json } from '../actions/action.ts';
import type { Random } from '../random.ts';
import { ownedBy, versionOf } from './set-up.ts';

/** A recording that is being written. */
export type Script = {
  readonly random: Random;
  /** One of the values of a list with a name: each comes once before one comes again. */
  deal<T>(name: string, values: readonly T[]): T;
  /** Adds an action, and returns the number of its line. */
  add(action: Action): number;
};

/** A few lines that belong together. It leaves policies, other parties and the operator's settings as it found them. */
export type Episode = (script: Script) => void;

type Changes = Partial<Omit<Ask, 'do' | 'operation'>> & { readonly operation?: Partial<Drafted> };

/** Asks about an operation that the paymaster named `of` usually sponsors, except for what is given. Returns the line. */
export function ask({ random, add }: Script, of: string, { operation = {}, ...changes }: Changes = {}): number {
  const method = random.pick(['sponsorUserOperation', 'getPaymasterData', 'getFeeQuoteOrData'] as const);
  const usual = {
    version: versionOf(of),
    owner: `user ${random.below(12)}`,
    nonceKey: random.below(3),
    calls: ['increment'] as const,
    limits: random.pick(['plain', 'plain', 'none'] as const),
  };
  const client = `10.0.0.${random.below(4)}`;
  const asked = { method, context: { mode: 'SPONSORED' }, client, ...changes };
  return add({ do: 'ask', of, ...asked, operation: { ...usual, ...operation } });
}

/** Lands some of these lines, and lets the others be. */
export function land({ random, add }: Script, lines: readonly number[], share = 0.7): void {
  add({ do: 'land', lines: lines.filter(() => random.chance(share)) });
}

/** Calls the core about a paymaster. The answer is kept as `as`. Returns that name. */
export function manage(
  { add }: Script,
  of: string,
  call: Extract<Action, { readonly do: 'core' }>['call'],
  fields: Readonly<Record<string, Json>>,
): string {
  const as = `${call} ${of}`;
  add({ do: 'core', call, input: { ...ownedBy(of), ...fields }, as });
  return as;
}

/** Does something while a paymaster has another policy. */
export function withPolicy(script: Script, of: string, policy: Json, work: () => void): void {
  manage(script, of, 'setPolicy', { policy: { $policy: policy } });
  work();
  manage(script, of, 'setPolicy', { policy: { $policy: {} } });
}

/** Paymasters that sponsor, one for each EntryPoint. */
export const sponsors = ['six', 'seven', 'eight', 'nine'] as const;

/** Lets an account own this many of each token, and allow the contract to take them. */
export function giveTokens(
  { add }: Script,
  owner: string,
  { version, ...given }: { readonly version: EntryPointVersion; readonly amount?: number; readonly allowed?: boolean },
): void {
  const { amount = 1_000_000, allowed = true } = given;
  for (const decimals of [6, 18] as const) {
    add({ do: 'tokens', owner, version, decimals, amount: String(BigInt(amount) * 10n ** BigInt(decimals)), allowed });
  }
}
