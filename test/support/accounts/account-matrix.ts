import type { SponsorshipMode } from '../../../core/domain/sponsorship.ts';
import type { MatrixAccount } from './matrix-accounts.ts';

/** Which bundler estimates for the client: the development chain's, which asks for what is needed, or alto. */
export type Through = 'dev' | 'alto';

/** What comes of an operation: it lands, or it is refused with a sentence that says what to do. */
export type Outcome = 'lands' | { readonly reason: string; readonly sentence: RegExp };

const unknownCode: Outcome = {
  reason: 'ACCOUNT_NOT_KNOWN',
  sentence:
    /The code at 0x\w{40} is not known \(its hash is 0x\w{64}\).*The operator can add it to accounts\.factories/s,
};
/** What is refused in sponsored mode. Users who pay in tokens may have any account, and any limits. */
const notSponsored: readonly {
  readonly kind: string;
  readonly through: readonly Through[];
  readonly outcome: Outcome;
}[] = [{ kind: 'an account of unknown code', through: ['dev', 'alto'], outcome: unknownCode }];

export function expectedOutcome(
  account: Pick<MatrixAccount, 'kind'>,
  { mode, through }: { readonly mode: SponsorshipMode; readonly through: Through },
): Outcome {
  if (mode === 'ERC20') return 'lands';
  const refused = notSponsored.find((one) => one.kind === account.kind && one.through.includes(through));
  return refused?.outcome ?? 'lands';
}

/** A table of the page about compatibility: accounts of an EntryPoint that end in the same way share a row. */
export function renderAccountMatrix(accounts: readonly MatrixAccount[]): string {
  const rows = new Map<string, string[]>();
  for (const account of accounts) {
    const outcomes = (['SPONSORED', 'ERC20'] as const).map((mode) => outcomeText(account, mode));
    const row = `| ${account.version} | … | ${outcomes.join(' | ')} |`;
    rows.set(row, [...(rows.get(row) ?? []), account.kind]);
  }
  return [
    '| EntryPoint | accounts | sponsored | paid in a token |',
    '| --- | --- | --- | --- |',
    ...[...rows].map(([row, kinds]) => row.replace('…', kinds.join('; '))),
  ].join('\n');
}

/** What comes of an operation through any of the bundlers, or each of them where they differ. */
function outcomeText(account: MatrixAccount, mode: SponsorshipMode): string {
  const texts = (['dev', 'alto'] as const).map((through) => {
    const outcome = expectedOutcome(account, { mode, through });
    return outcome === 'lands' ? 'lands' : `refused: \`${outcome.reason}\``;
  });
  return [...new Set(texts)].join('; with alto ');
}
