import { appendFileSync } from 'node:fs';
import { type Hex, isAddressEqual, slice } from 'viem';
import { inject } from 'vitest';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { SponsorshipMode } from '../../../core/domain/sponsorship.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import type { Landing, LandingClient } from './landings-table.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The file in which a run's landings are collected, by `tools/collect-landings.ts`. */
    landings: string;
  }
}

/** What the chain says about an operation that was signed for. Wei, and base units of the token. */
export type LandedFacts = {
  readonly family: string;
  readonly entryPoint: EntryPointVersion;
  readonly mode: SponsorshipMode;
  readonly outcome: { readonly success: boolean; readonly actualGasCost: bigint; readonly transactionHash: Hex };
  /** Calls of the target in the operation, and those that arrived. */
  readonly calls: { readonly made: bigint; readonly arrived: bigint };
  /** By how much the paymaster's deposit at the EntryPoint fell. */
  readonly depositFell: bigint;
  /** What the account paid and the most it had been quoted; both 0 when sponsored. */
  readonly tokens: { readonly paid: bigint; readonly quoted: bigint };
};

/** Selectors of `handleOps` by EntryPoint version. */
const handleOps: Readonly<Record<EntryPointVersion, Hex>> = {
  '0.6': '0x1fad948c',
  '0.7': '0x765e827f',
  '0.8': '0x765e827f',
  '0.9': '0x765e827f',
};

/** Puts an operation into the table at the end of the run. Throws as {@link checkLanding} does. */
export async function recordLanding(
  devnet: Devnet,
  { client, ...facts }: LandedFacts & { readonly client: LandingClient },
): Promise<void> {
  await checkLanding(devnet, facts);
  const { family, entryPoint, mode, outcome } = facts;
  const landing: Landing = { client, family, entryPoint, mode, gasCost: outcome.actualGasCost.toString() };
  appendFileSync(inject('landings'), `${JSON.stringify(landing)}\n`);
}

/**
 * Throws unless an operation landed through `handleOps`, its target was called, the paymaster's deposit fell by exactly
 * its cost, and the user paid no more than was quoted.
 */
export async function checkLanding({ client: chain, entryPoints }: Devnet, facts: LandedFacts): Promise<void> {
  const { to, input } = await chain.getTransaction({ hash: facts.outcome.transactionHash });
  const { entryPoint } = facts;
  const isHandled = to !== null && isAddressEqual(to, entryPoints[entryPoint]);
  if (!isHandled || slice(input, 0, 4) !== handleOps[entryPoint]) throw new Error('It was not sent to handleOps.');
  const broken = findBroken(facts);
  if (broken !== undefined) throw new Error(`The landing does not count: ${broken}.`);
}

/** The first fact that does not hold. */
export function findBroken({ outcome, calls, depositFell, tokens, mode }: LandedFacts): string | undefined {
  if (!outcome.success) return 'the operation failed';
  if (calls.made === 0n || calls.arrived !== calls.made) return `${calls.arrived} of ${calls.made} calls arrived`;
  if (outcome.actualGasCost === 0n || depositFell !== outcome.actualGasCost) {
    return `the deposit fell by ${depositFell} wei for a cost of ${outcome.actualGasCost}`;
  }
  const isPaid = tokens.paid > 0n;
  if (isPaid !== (mode === 'ERC20')) return `the account paid ${tokens.paid} of the token in mode ${mode}`;
  if (tokens.paid > tokens.quoted)
    return `the account paid ${tokens.paid} of the token for a quote of ${tokens.quoted}`;
  return undefined;
}
