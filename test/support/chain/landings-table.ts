import { formatEther } from 'viem';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { SponsorshipMode } from '../../../core/domain/sponsorship.ts';
import { paymasterContractFamilies } from '../../../core/evm/paymaster-contracts/families.ts';

/** Clients of the table and the EntryPoints they know. Each can do both modes. */
export const landingClients = {
  curl: ['0.6', '0.7', '0.8', '0.9'],
  'clients/sdk': ['0.6', '0.7', '0.8', '0.9'],
  viem: ['0.6', '0.7', '0.8', '0.9'],
  // Takes 0.9 for a 0.8 at another address.
  permissionless: ['0.6', '0.7', '0.8', '0.9'],
  '@biconomy/account 4.6.3': ['0.6'],
  '@biconomy/paymaster 3.1.4': ['0.6'],
  '@biconomy/paymaster 4.1.1': ['0.6'],
  '@biconomy/abstractjs 1.2.3': ['0.7'],
  'ethers 6': ['0.6', '0.7', '0.8', '0.9'],
  'userop 0.3.8': ['0.6'],
  '@aa-sdk/core 4.88.5': ['0.6', '0.7'],
  '@zerodev/sdk 5.5.10': ['0.6', '0.7', '0.8'],
  'abstractionkit 0.2.41': ['0.6', '0.7', '0.8', '0.9'],
  '@metamask/smart-accounts-kit 2.0.0': ['0.7'],
  '@safe-global/relay-kit 5.0.0': ['0.7'],
} as const satisfies Readonly<Record<string, readonly EntryPointVersion[]>>;
export type LandingClient = keyof typeof landingClients;

/** An operation that landed. `gasCost` in wei, as decimal text. */
export type Landing = {
  readonly client: LandingClient;
  readonly family: string;
  readonly entryPoint: EntryPointVersion;
  readonly mode: SponsorshipMode;
  readonly gasCost: string;
};

const clients = Object.keys(landingClients) as LandingClient[];
const caption = [
  'Operations landed through handleOps, each with its target called, the paymaster’s deposit down by exactly the gas cost,',
  'and no more tokens taken than quoted. – cannot exist: the client does not know the EntryPoint. · not in this run.',
  'Packages account, paymaster and abstractjs are of @biconomy. relay-kit is in `npm run test:safe` alone.',
];

/** Client × EntryPoint × mode × paymaster family, with the number of operations that landed; nothing for no landings. */
export function renderLandings(landings: readonly Landing[]): string {
  if (landings.length === 0) return '';
  const rows = [...paymasterContractFamilies.values()].flatMap(({ name, entryPointVersion, modes }) =>
    modes.map((mode) => [
      entryPointVersion,
      mode,
      name,
      ...clients.map((client) => cell(landings, { client, family: name, mode, entryPoint: entryPointVersion })),
    ]),
  );
  rows.sort(([first = ''], [second = '']) => first.localeCompare(second));
  const titles = clients.map((client) => client.replace('@biconomy/', ''));
  const lines = [['EntryPoint', 'mode', 'paymaster family', ...titles], ...rows];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const table = lines.map((line) =>
    line
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const gasCost = landings.reduce((sum, landing) => sum + BigInt(landing.gasCost), 0n);
  const total = `${landings.length} operations, ${formatEther(gasCost)} ETH of gas`;
  return ['', ...caption, '', ...table, '', total, ''].join('\n');
}

function cell(landings: readonly Landing[], at: Omit<Landing, 'gasCost'>): string {
  const known: readonly EntryPointVersion[] = landingClients[at.client];
  if (!known.includes(at.entryPoint)) return '–';
  const count = landings.filter(
    ({ client, family, mode }) => client === at.client && family === at.family && mode === at.mode,
  ).length;
  return count === 0 ? '·' : String(count);
}
