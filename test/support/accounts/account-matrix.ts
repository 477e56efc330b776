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

/** A table of the page about clients. */
export function renderAccountMatrix(accounts: readonly MatrixAccount[]): string {
  const cell = (account: MatrixAccount, mode: SponsorshipMode, through: Through) => {
    const outcome = expectedOutcome(account, { mode, through });
    return outcome === 'lands' ? 'lands' : `refused: \`${outcome.reason}\``;
  };
  const rows = accounts.map((account) => {
    const outcomes = (['dev', 'alto'] as const).flatMap((through) =>
      (['SPONSORED', 'ERC20'] as const).map((mode) => cell(account, mode, through)),
    );
    return [account.version, account.kind, ...outcomes, account.code].join(' | ');
  });
  return [
    '| EntryPoint | account | sponsored | paid in a token | sponsored, alto | paid in a token, alto | its code is from |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}
