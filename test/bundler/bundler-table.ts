import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { SponsorshipMode } from '../../core/domain/sponsorship.ts';
import type { LandingClient } from '../support/chain/landings-table.ts';

/** An operation that alto landed. */
export type BundlerLanding = {
  /** Whether the service asks alto for gas limits too. */
  readonly estimates: 'own' | 'of the bundler too';
  readonly account: 'SimpleAccount' | 'EIP-7702';
  readonly client: LandingClient;
  readonly entryPoint: EntryPointVersion;
  readonly mode: SponsorshipMode;
};

const caption = [
  'Operations landed by alto through handleOps, each with its target called, the paymaster’s deposit down by exactly the',
  'gas cost, and no more tokens taken than quoted. – none: the client does not know the EntryPoint or the account.',
];

/** EntryPoint × account × mode × whose estimates, with the number of operations that landed by client. */
export function renderBundlerTable(landings: readonly BundlerLanding[]): string {
  const clients = [...new Set(landings.map(({ client }) => client))];
  const keyOf = ({ entryPoint, account, mode, estimates }: BundlerLanding) =>
    [entryPoint, account, mode, estimates].join('|');
  const rows = [...new Set(landings.map(keyOf))].sort().map((key) => [
    ...key.split('|'),
    ...clients.map((client) => {
      const count = landings.filter((landing) => keyOf(landing) === key && landing.client === client).length;
      return count === 0 ? '–' : String(count);
    }),
  ]);
  const lines = [['EntryPoint', 'account', 'mode', 'estimates', ...clients], ...rows];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const table = lines.map((line) =>
    line
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return ['', ...caption, '', ...table, '', `${landings.length} operations`, ''].join('\n');
}
