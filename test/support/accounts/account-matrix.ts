import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { SponsorshipMode } from '../../../core/domain/sponsorship.ts';
import { type MatrixAccount, matrixAccounts } from './matrix-accounts.ts';

/** Whose gas limits are signed: the service's own alone, or those of a bundler too (`bundlerUrl`). */
export type Estimates = 'own' | 'bundlerUrl';

/** What comes of an operation: it lands, or the sentence in which it is refused matches. */
export type Outcome = 'lands' | { readonly reason: string; readonly sentence: RegExp };

const refusedUnknown: Outcome = {
  reason: 'ACCOUNT_NOT_KNOWN',
  sentence: /The code at 0x\w{40} is not known \(its hash is 0x\w{64}\).*tollfree account-code add/s,
};

/** Kinds that are refused in sponsored mode. Users who pay in tokens may have any account. */
const notSponsored: ReadonlyMap<string, Outcome> = new Map([['an account of unknown code', refusedUnknown]]);

export function expectedOutcome({ kind }: Pick<MatrixAccount, 'kind'>, mode: SponsorshipMode): Outcome {
  return (mode === 'SPONSORED' ? notSponsored.get(kind) : undefined) ?? 'lands';
}

/** The table of the page about clients. */
export function renderAccountMatrix(): string {
  const cell = (account: MatrixAccount, mode: SponsorshipMode) => {
    const outcome = expectedOutcome(account, mode);
    return outcome === 'lands' ? 'lands' : `refused: \`${outcome.reason}\``;
  };
  const rows = matrixAccounts.map((account) =>
    [account.version, account.kind, cell(account, 'SPONSORED'), cell(account, 'ERC20'), account.code].join(' | '),
  );
  return [
    '| EntryPoint | account | sponsored | paid in a token | its code is from |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

/** The versions that have a row. */
export const matrixVersions: readonly EntryPointVersion[] = [...new Set(matrixAccounts.map(({ version }) => version))];
